package io.gleaner.description;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
  static final int MAX_COLUMNS = 100;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final List<String> names;

  /** Of each row the values, each behind its length: many short strings would cost far more. */
  private final List<byte[]> rows;

  private CsvRows(List<String> names, List<byte[]> rows) {
    this.names = List.copyOf(names);
    this.rows = rows;
  }

  /** Reads the file, as far as there is room, at most {@link BagDescription#MAX_TASKS} rows. */
  static CsvRows read(
      Parameter.Csv parameter, String digest, TaskExpansion.Contents contents, CsvRoom room) {
    String where = "parameters." + parameter.name() + ": " + parameter.file();
    try (Reader reader =
            new InputStreamReader(
                room.bounded(contents.open(digest)), StandardCharsets.UTF_8.newDecoder());
        CSVParser csv = CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get().parse(reader)) {
      return read(parameter, csv, where, room);
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
    if (e instanceof CsvRoom.Full) {
      return new DescriptionException(
          DescriptionException.Code.LIMIT,
          "the CSV files of the bag's parameters have more than "
              + CsvRoom.MAX_BYTES
              + " bytes together, with "
              + where
              + "; name each file once, leave out columns, or split the bag");
    }
    if (e instanceof CSVException) {
      return invalid(where + " is not CSV: " + e.getMessage() + "; check its quotes", e);
    }
    return new DescriptionException(
        DescriptionException.Code.MISSING_FILE,
        where + " cannot be read (" + e.getMessage() + "); hand it in again",
        e);
  }

  private static CsvRows read(Parameter.Csv parameter, CSVParser csv, String where, CsvRoom room) {
    List<String> columns = null;
    List<byte[]> rows = new ArrayList<>();
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
      } else if (!room.takes(columns.size())) {
        throw new DescriptionException(
            DescriptionException.Code.LIMIT,
            "the CSV files of the bag's parameters have more than "
                + CsvRoom.MAX_VALUES
                + " values together, with "
                + where
                + "; name each file once, leave out columns, or split the bag");
      } else {
        rows.add(packed(line));
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
    ByteBuffer row = ByteBuffer.wrap(rows.get(position));
    for (String name : names) {
      byte[] value = new byte[row.getInt()];
      row.get(value);
      parameters.put(name, new String(value, StandardCharsets.UTF_8));
    }
  }

  private static byte[] packed(CSVRecord line) {
    List<byte[]> values =
        line.stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList();
    ByteBuffer row =
        ByteBuffer.allocate(values.stream().mapToInt(value -> Integer.BYTES + value.length).sum());
    values.forEach(value -> row.putInt(value.length).put(value));
    return row.array();
  }

  private static DescriptionException invalid(String message, Throwable cause) {
    return new DescriptionException(DescriptionException.Code.INVALID, message, cause);
  }
}
