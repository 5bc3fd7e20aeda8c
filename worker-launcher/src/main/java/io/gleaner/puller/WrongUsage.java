package io.gleaner.puller;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What a command that was written wrongly is answered: a sentence, what was meant perhaps, and
 * where its options are told; exit code 2.
 */
public final class WrongUsage implements IParameterExceptionHandler {
  private WrongUsage() {}

  /** Lets the command and its subcommands answer so, and name numbers and paths in words. */
  public static CommandLine saidBy(CommandLine command) {
    return command
        .setParameterExceptionHandler(new WrongUsage())
        .registerConverter(Integer.class, number(Integer::valueOf, "a whole number"))
        .registerConverter(int.class, number(Integer::valueOf, "a whole number"))
        .registerConverter(Double.class, number(Double::valueOf, "a number"))
        .registerConverter(BigDecimal.class, number(BigDecimal::new, "a number"))
        .registerConverter(Path.class, WrongUsage::path);
  }

  private static <T extends Number> ITypeConverter<T> number(
      Function<String, T> reader, String expected) {
    return text -> {
      try {
        return reader.apply(text.strip());
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "'" + text + "' is not " + expected + ", or too large for one");
      }
    };
  }

  private static Path path(String text) {
    if (text.isBlank()) {
      throw new TypeConversionException("it is empty; expected a path");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + text + "' is no path: " + e.getReason());
    }
  }

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(wrong.getMessage());
    boolean meant = UnmatchedArgumentException.printSuggestions(wrong, err);
    if (!meant) {
      err.println("'" + command.getCommandSpec().qualifiedName() + " --help' tells how it is used");
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
