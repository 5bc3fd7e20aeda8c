package io.gleaner.cli;

import io.gleaner.api.rest.ConsoleTrust;
import io.gleaner.authority.PoolRole;
import io.gleaner.jini.PoolEntry;
import io.gleaner.maker.Economy;
import io.gleaner.maker.MakerException;
import io.gleaner.secrets.SecurityRefusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What may be written for options; what may not is refused before anything is started. */
final class OptionValues {
  private static final int LARGEST_PORT = 65_535;
  private static final int LONGEST_LIST = 500;
  private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");
  private static final String POSTGRESQL = "jdbc:postgresql:";

  private OptionValues() {}

  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return number(text, 0, LARGEST_PORT)
          .orElseThrow(() -> refused(text, "port", "0 to " + LARGEST_PORT + ", 0 for any"));
    }
  }

  /** How many lines a list may have. */
  static final class ListLength implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return number(text, 1, LONGEST_LIST)
          .orElseThrow(() -> refused(text, "number of lines to list", "1 to " + LONGEST_LIST));
    }
  }

  static final class IdempotencyKey implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (KEY.matcher(text).matches()) {
        return text;
      }
      throw refused(text, "key", "1 to 128 visible ASCII characters");
    }
  }

  static final class EconomyName implements ITypeConverter<Economy> {
    @Override
    public Economy convert(String text) {
      try {
        return Economy.of(text);
      } catch (MakerException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class MemberRole implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return PoolRole.of(text)
          .filter(role -> role.lends() || role == PoolRole.APPLICATION)
          .map(PoolRole::text)
          .orElseThrow(
              () ->
                  refused(
                      text,
                      "role that can join",
                      "device or browser (lend their time), or application; commands need no"
                          + " certificate but an API token ('gleaner tokens issue')"));
    }
  }

  static final class PoolName implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      try {
        return PoolEntry.requireName(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class DatabaseUrl implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!text.startsWith(POSTGRESQL)) {
        throw refused(
            text, "database that a node can use", "one of PostgreSQL: jdbc:postgresql://host/name");
      }
      if (text.toLowerCase(Locale.ROOT).contains("password=")) {
        throw new TypeConversionException(
            "other users of this machine can read the password in it; leave it out and name a file"
                + " with --database-password-file");
      }
      return text;
    }
  }

  static final class ConsoleAddress implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        URI address = new URI(text.strip());
        boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (web && address.getHost() != null) {
          return address;
        }
      } catch (URISyntaxException e) {
        // As an address of something else.
      }
      throw refused(text, "address of a console", "http://host:port or https://host:port");
    }
  }

  static final class Fingerprints implements ITypeConverter<ConsoleTrust> {
    @Override
    public ConsoleTrust convert(String text) {
      try {
        return ConsoleTrust.parse(text);
      } catch (SecurityRefusal e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  private static Optional<Integer> number(String text, int least, int most) {
    try {
      return Optional.of(Integer.valueOf(text.strip()))
          .filter(number -> number >= least && number <= most);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static TypeConversionException refused(String text, String what, String expected) {
    return new TypeConversionException("'" + text + "' is no " + what + "; expected " + expected);
  }
}
