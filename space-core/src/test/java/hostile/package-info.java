/** Stands for code of others that must never run here. */
package hostile;
