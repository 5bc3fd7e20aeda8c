package java.rmi.activation;

/** Empty stand-in. */
public class ActivationGroup {}
