package io.gleaner.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that were written wrongly: one sentence, exit code 2, and nothing is started. */
@Timeout(60)
class WrongUsageTest {
  @TempDir private Path temp;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(temp.resolve("file"), "not a folder");
    Path open = Files.writeString(temp.resolve("open"), "secret");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /**
   * What a command says on standard error; FILE is a file, OPEN a secret that all can read, NEW not
   * there.
   */
  private String said(String line) {
    StringWriter err = new StringWriter();
    String[] arguments =
        line.replace("FILE", temp.resolve("file").toString())
            .replace("NEW", temp.resolve("new").toString())
            .replace("OPEN", temp.resolve("open").toString())
            .split(" ");
    int code = Main.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
    assertThat(code).as(line + " says " + err).isEqualTo(2);
    assertThat(err.toString()).doesNotContain("Exception", "GLEANER_DEBUG", "Usage:");
    return err.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          up --gateway-port 99999             | '99999' is no port; expected 0 to 65535
          up --console-port many              | 'many' is no port
          up --gateway-port 1 --console-port 1| both 1; name two ports
          up --economy barter                 | choose market or fair-share
          up --lookup=bad!name                | 'bad!name' is no name of a pool; letters
          up --lookup=                        | '' is no name of a pool
          up --data=                          | it is empty; expected a path
          up --data FILE                      | file is a file, or lies in one; name a folder
          up --data FILE/below                | is a file, or lies in one
          up --console-host=                          | s address is empty; name one, 127.0.0.1
          up --console-certificate FILE               | go together; name both
          up --console-certificate FILE --console-key OPEN --data NEW | chmod 600
          status --authority 12                       | no fingerprint: expected 64 hexadecimal digits
          up --once                           | --once goes with --demo
          up --nonsense                       | Unknown option: '--nonsense'
          up --database-user u                | go with --database
          up --session-lease 1ms              | is 0.001 s, expected 5 s or more
          up --session-lease P999999999999D   | longer than 292 million years
          submit bag.yaml --url nonsense      | 'nonsense' is no address of a console; expected http
          status --url ftp://127.0.0.1/       | is no address of a console
          submit bag.yaml --key=              | '' is no key; expected 1 to 128 visible
          bags --limit 0                      | '0' is no number of lines to list; expected 1 to 500
          audit log --limit 0                 | '0' is no number of lines to list; expected 1 to 500
          invite --role machine               | 'machine' is no role that can join; expected device
          results x                           | Missing required option: '--to=FOLDER'
          bench market                        | there is one of space
          bench space --slice much            | 'much' is not a number
          bench space --entries 99999999999   | is not a whole number, or too large
          worker                              | Name it with --join
          worker --slots much                 | 'much' is not a whole number
          """)
  void isSaidInASentence(String command, String sentence) {
    assertThat(said(command)).contains(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:mysql://h/n                    | expected one of PostgreSQL: jdbc:postgresql://
          jdbc:postgresql://h/n               | --database needs --database-user
          jdbc:postgresql://h/n?password=geheim --database-user u | other users of this machine
          jdbc:postgresql://h/n --database-user u --demo | does not go with --demo
          jdbc:postgresql://h/n --database-user u --database-password-file OPEN | run: chmod 600
          jdbc:postgresql://h/n --database-user u --database-password-file gone | no secret file
          """)
  void soAreDatabasesThatCannotBe(String arguments, String sentence) {
    assertThat(said("up --database " + arguments)).contains(sentence).doesNotContain("geheim");
  }

  @Test
  void whatWasMeantIsGuessed() {
    assertThat(said("statsu")).contains("Did you mean", "status");
  }
}
