package io.gleaner.space.conformance;

import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Note;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import net.jini.core.entry.Entry;
import org.junit.jupiter.api.Timeout;

/** Entry specification, EN.1.3 and EN.1.4: what fields may hold, and how it comes back. */
@Timeout(120)
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "NonApiType"}) // programs have such fields
class FieldValuesTest {

  /** A value that is only serialisable, as programs have them. */
  public static class Matrix implements Serializable {
    private static final long serialVersionUID = 1L;
    private final double[][] rows;
    private final Matrix next;

    public Matrix(double first, Matrix next) {
      this.rows = new double[][] {{first, 2}, {3, 4}};
      this.next = next;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Matrix m
          && java.util.Arrays.deepEquals(m.rows, rows)
          && Objects.equals(m.next, next);
    }

    @Override
    public int hashCode() {
      return java.util.Arrays.deepHashCode(rows);
    }
  }

  /** Fields of many types. */
  public static class Job implements Entry {
    private static final long serialVersionUID = 1L;
    public String name;
    public Matrix matrix;
    public Object anything;
    public Serializable serialisable;
    public ArrayList<String> list;
    public LinkedList<Matrix> chain;
    public HashMap<String, Integer> map;
    public TreeMap<String, Integer> sorted;
    public HashSet<String> set;
    public Map<String, Object> declaredMap;
    public Date date;
    public Note nested;

    public Job() {}

    public Job(String name) {
      this.name = name;
    }
  }

  private static Job through(SpaceUnderTest at, Job job) throws Exception {
    at.space.write(job, null, FOREVER);
    return (Job) at.space.take(new Job(job.name), null, NO_WAIT);
  }

  @Conformance
  void en1_3_aFieldHoldsAnySerialisableValue(SpaceUnderTest at) throws Exception {
    Job job = new Job("a");
    job.matrix = new Matrix(1, new Matrix(2, null));
    job.anything = new Matrix(3, null);
    job.serialisable = new Matrix(4, null);
    job.chain = new LinkedList<>(List.of(new Matrix(5, null), new Matrix(6, null)));
    job.nested = new Note("nested", 7);
    Job read = through(at, job);
    assertThat(read.matrix).isEqualTo(job.matrix).isNotSameAs(job.matrix);
    assertThat(read.anything).isEqualTo(job.anything);
    assertThat(read.serialisable).isEqualTo(job.serialisable);
    assertThat(read.chain).isEqualTo(job.chain);
    assertThat(read.nested.topic).isEqualTo("nested");
    assertThat(read.nested.number).isEqualTo(7);
  }

  @Conformance
  void en1_3_valuesOfTheJdkComeBackAsTheyWere(SpaceUnderTest at) throws Exception {
    for (Object value :
        List.of(
            new Date(1),
            new java.sql.Timestamp(2),
            LocalDate.of(2026, 11, 22),
            ZonedDateTime.parse("2026-11-22T02:20:00+01:00[Europe/Berlin]"),
            URI.create("http://example.org/"),
            Locale.GERMANY,
            BitSet.valueOf(new long[] {3}),
            InetAddress.getByAddress("here", new byte[] {127, 0, 0, 1}),
            String.class,
            TimeUnit.DAYS,
            EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS),
            new EnumMap<>(Map.of(TimeUnit.DAYS, "d")),
            new int[][] {{1}, {2, 3}})) {
      Job job = new Job("a");
      job.anything = value;
      assertThat(through(at, job).anything).hasSameClassAs(value).isEqualTo(value);
    }
    Job job = new Job("a");
    job.anything = new IllegalStateException("odd", new java.io.IOException("even"));
    assertThat((Throwable) through(at, job).anything)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("odd")
        .hasRootCauseMessage("even");
  }

  @Conformance
  void en1_3_collectionsComeBackAsTheirDeclaredClasses(SpaceUnderTest at) throws Exception {
    Job job = new Job("a");
    job.list = new ArrayList<>(List.of("x", "y"));
    job.map = new HashMap<>(Map.of("k", 1));
    job.sorted = new TreeMap<>(Comparator.reverseOrder());
    job.sorted.putAll(Map.of("a", 1, "b", 2));
    job.set = new HashSet<>(List.of("s"));
    job.declaredMap = new LinkedHashMap<>();
    job.declaredMap.put("z", 1);
    job.declaredMap.put("a", List.of(2));
    job.date = new Date(5);
    Properties properties = new Properties();
    properties.setProperty("k", "v");
    job.anything = properties;
    Job read = through(at, job);
    assertThat(read.list).isEqualTo(job.list);
    assertThat(read.map).isEqualTo(job.map);
    assertThat(read.sorted.firstKey()).as("the order of its comparator").isEqualTo("b");
    assertThat(read.set).isEqualTo(job.set);
    assertThat(new ArrayList<>(read.declaredMap.keySet())).isEqualTo(List.of("z", "a"));
    assertThat(read.date).isEqualTo(job.date);
    assertThat(((Properties) read.anything).getProperty("k")).isEqualTo("v");
    read.list.add("z");
    read.map.put("l", 2);
    read.set.add("t");
    at.space.write(read, null, FOREVER);
    assertThat(((Job) at.space.take(new Job("a"), null, NO_WAIT)).list)
        .as("a list that was read can be changed and written again")
        .isEqualTo(List.of("x", "y", "z"));
  }

  @Conformance
  void en1_5_serialisableValuesMatchByTheirBytes(SpaceUnderTest at) throws Exception {
    Job job = new Job("a");
    job.matrix = new Matrix(1, null);
    job.list = new ArrayList<>(List.of("x"));
    at.space.write(job, null, FOREVER);
    Job other = new Job();
    other.matrix = new Matrix(2, null);
    assertThat(at.space.read(other, null, NO_WAIT)).isNull();
    Job same = new Job();
    same.matrix = new Matrix(1, null);
    same.list = new ArrayList<>(List.of("x"));
    assertThat(at.space.read(same, null, NO_WAIT)).isNotNull();
    same.anything = new Matrix(1, null);
    assertThat(at.space.read(same, null, NO_WAIT)).as("that field is null there").isNull();
  }

  @Conformance
  void en1_4_eachFieldIsSerialisedApart(SpaceUnderTest at) throws Exception {
    Job job = new Job("a");
    Matrix shared = new Matrix(1, null);
    job.matrix = shared;
    job.anything = shared;
    job.chain = new LinkedList<>(List.of(shared, shared));
    Job read = through(at, job);
    assertThat((Object) read.matrix).isEqualTo(read.anything).isNotSameAs(read.anything);
    assertThat(read.chain.get(0)).as("one object within a field").isSameAs(read.chain.get(1));
  }

  @Conformance
  void en1_4_whatCannotBeSerialisedIsNotWritten(SpaceUnderTest at) throws Exception {
    Job job = new Job("a");
    job.list = new ArrayList<>(List.of("x"));
    job.anything = new Object();
    assertThatThrownBy(() -> at.space.write(job, null, FOREVER)).isInstanceOf(Exception.class);
    List<Job> batch = List.of(new Job("b"), job);
    assertThatThrownBy(() -> at.space.write(batch, null, List.of(FOREVER, FOREVER)))
        .isInstanceOf(Exception.class);
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void en1_3_aUrlComesBackWhereOneIsDeclared(SpaceUnderTest at) throws Exception {
    Linked linked = new Linked();
    linked.link = new URL("file:/somewhere");
    at.space.write(linked, null, FOREVER);
    Linked read = (Linked) at.space.take(new Linked(), null, NO_WAIT);
    assertThat(read.link.toExternalForm()).isEqualTo("file:/somewhere");
  }

  /** A field whose class asks the network when it is hashed. */
  public static class Linked implements Entry {
    private static final long serialVersionUID = 1L;
    public URL link;

    public Linked() {}
  }
}
