package io.gleaner.node;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The log of a node: a file in its folder, rolled at 10 MB, three old ones kept. */
final class NodeLog implements AutoCloseable {
  // What strangers wrote neither begins a line nor reaches the terminal of who reads this. A stack
  // trace keeps its lines.
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{20} [%thread]: "
          + "%replace(%msg){'[\\x00-\\x08\\x0A-\\x1F\\x7F-\\x9F\\p{Cf}\\p{Zl}\\p{Zp}]','?'}%n"
          + "%replace(%ex){'[\\x00-\\x08\\x0B-\\x0C\\x0E-\\x1F\\x7F-\\x9F\\p{Cf}\\p{Zl}\\p{Zp}]','?'}";
  private final RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();

  private NodeLog(LoggerContext context, Path file) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.start();
    FixedWindowRollingPolicy keep = new FixedWindowRollingPolicy();
    keep.setContext(context);
    keep.setParent(appender);
    keep.setFileNamePattern(file + ".%i");
    keep.setMinIndex(1);
    keep.setMaxIndex(3);
    SizeBasedTriggeringPolicy<ILoggingEvent> roll = new SizeBasedTriggeringPolicy<>();
    roll.setContext(context);
    roll.setMaxFileSize(FileSize.valueOf("10MB"));
    appender.setContext(context);
    appender.setName("node " + file);
    appender.setFile(file.toString());
    appender.setEncoder(encoder);
    appender.setRollingPolicy(keep);
    appender.setTriggeringPolicy(roll);
    keep.start();
    roll.start();
    appender.start();
  }

  /** Sends what this JVM logs from now on also to the file. */
  static NodeLog into(Path file) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    NodeLog log = new NodeLog(context, file);
    root(context).addAppender(log.appender);
    // River logs by java.util.logging, which would write to the terminal.
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    return log;
  }

  @Override
  public void close() {
    root((LoggerContext) LoggerFactory.getILoggerFactory()).detachAppender(appender);
    appender.stop();
  }

  private static Logger root(LoggerContext context) {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }
}
