package java.rmi.activation;

/** Empty stand-in. */
public class ActivationException extends Exception {
  private static final long serialVersionUID = 1L;
}
