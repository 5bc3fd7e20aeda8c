package io.gleaner.description;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** The rows of a CSV file (RFC 4180, UTF-8, a header line) as one axis; immutable. */
final class CsvRows implements Axis {
  static final long MAX_BYTES = 64L * 1024 * 1024;
  static final int MAX_COLUMNS = 100;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final List<String> names;
  private final List<String[]> rows;

  private CsvRows(List<String> names, List<String[]> rows) {
    this.names = List.copyOf(names);
    this.rows = rows;
  }

  /** Reads the file, at most {@link #MAX_BYTES} and {@link BagDescription#MAX_TASKS} rows. */
  static CsvRows read(Parameter.Csv parameter, String digest, TaskExpansion.Contents contents) {
    String where = "parameters." + parameter.name() + ": " + parameter.file();
    try (Reader reader =
            new InputStreamReader(
                new Bounded(contents.open(digest)), StandardCharsets.UTF_8.newDecoder());
        CSVParser csv = CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get().parse(reader)) {
      return read(parameter, csv, where);
    } catch (IOException e) {
      throw refusal(where, e);
    } catch (UncheckedIOException e) {
      throw refusal(where, e.getCause());
    }
  }

  private static DescriptionException refusal(String where, IOException e) {
    if (e instanceof CharacterCodingException) {
      return invalid(where + " is not UTF-8; save it as UTF-8", e);
    }
    if (e instanceof TooLong) {
      return new DescriptionException(
          DescriptionException.Code.LIMIT,
          where + " is longer than " + MAX_BYTES + " bytes; split the bag");
    }
    if (e instanceof CSVException) {
      return invalid(where + " is not CSV: " + e.getMessage() + "; check its quotes", e);
    }
    return new DescriptionException(
        DescriptionException.Code.MISSING_FILE,
        where + " cannot be read (" + e.getMessage() + "); hand it in again",
        e);
  }

  private static CsvRows read(Parameter.Csv parameter, CSVParser csv, String where) {
    List<String> columns = null;
    List<String[]> rows = new ArrayList<>();
    for (CSVRecord line : csv) {
      if (columns == null) {
        columns = header(line, where);
      } else if (line.size() != columns.size()) {
        throw invalid(
            where
                + ", row "
                + (line.getRecordNumber() - 1)
                + " has "
                + line.size()
                + " values, the header has "
                + columns.size()
                + "; add or remove values, or quote those with a comma",
            null);
      } else if (rows.size() == BagDescription.MAX_TASKS) {
        throw new DescriptionException(
            DescriptionException.Code.LIMIT,
            where + " has more than " + BagDescription.MAX_TASKS + " rows; split the bag");
      } else {
        rows.add(line.values());
      }
    }
    if (rows.isEmpty()) {
      throw invalid(where + " has no row below its header; write at least one", null);
    }
    return new CsvRows(columns.stream().map(parameter::column).toList(), rows);
  }

  private static List<String> header(CSVRecord line, String where) {
    List<String> columns = new ArrayList<>(line.toList());
    String first = columns.get(0);
    if (!first.isEmpty() && first.charAt(0) == BYTE_ORDER_MARK) {
      columns.set(0, first.substring(1));
    }
    columns.replaceAll(String::strip);
    if (columns.size() > MAX_COLUMNS) {
      throw invalid(where + " has " + columns.size() + " columns, at most " + MAX_COLUMNS, null);
    }
    if (new HashSet<>(columns).size() < columns.size() || columns.contains("")) {
      throw invalid(
          where + " needs a header with a different name for each column, has " + columns, null);
    }
    return columns;
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public void put(int position, Map<String, String> parameters, Map<String, String> inputs) {
    String[] row = rows.get(position);
    for (int i = 0; i < row.length; i++) {
      parameters.put(names.get(i), row[i]);
    }
  }

  private static DescriptionException invalid(String message, Throwable cause) {
    return new DescriptionException(DescriptionException.Code.INVALID, message, cause);
  }

  private static final class TooLong extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Fails after {@link #MAX_BYTES}, so that a file costs no more memory than that. */
  private static final class Bounded extends FilterInputStream {
    private long left = MAX_BYTES;

    Bounded(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      left -= Math.max(0, count);
      if (left < 0) {
        throw new TooLong();
      }
      return count;
    }
  }
}
