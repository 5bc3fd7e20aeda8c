package java.rmi.activation;

import java.rmi.Remote;

/** Empty stand-in. */
public interface ActivationSystem extends Remote {}
