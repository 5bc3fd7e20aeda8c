package java.rmi.activation;

import java.rmi.RemoteException;

/** Empty stand-in. */
public class ActivateFailedException extends RemoteException {
  private static final long serialVersionUID = 1L;
}
