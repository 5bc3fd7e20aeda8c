package io.gleaner.notice;

import static java.time.ZoneOffset.UTC;

import io.gleaner.ledger.Credits;
import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Properties;

/** Hands the news to the node's SMTP server as a short plain text. */
final class Mail implements Channel {
  private final MailServer server;
  private final Session session;
  private final InstantSource clock;

  Mail(MailServer server, Duration timeout, InstantSource clock) {
    this.clock = clock;
    this.server = server;
    String millis = String.valueOf(timeout.toMillis());
    Properties properties = new Properties();
    properties.setProperty("mail.transport.protocol", "smtp");
    properties.setProperty("mail.smtp.host", server.host());
    properties.setProperty("mail.smtp.port", String.valueOf(server.port()));
    properties.setProperty("mail.smtp.connectiontimeout", millis);
    properties.setProperty("mail.smtp.timeout", millis);
    properties.setProperty("mail.smtp.writetimeout", millis);
    properties.setProperty("mail.smtp.starttls.enable", String.valueOf(server.startTls()));
    properties.setProperty("mail.smtp.starttls.required", String.valueOf(server.startTls()));
    properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
    properties.setProperty("mail.smtp.auth", String.valueOf(server.login().isPresent()));
    this.session = Session.getInstance(properties, authenticator(server));
  }

  @Override
  public void send(Notice notice) throws IOException {
    BagNews news = BagNews.fromJson(notice.body());
    try {
      MimeMessage message = new MimeMessage(session);
      message.setFrom(new InternetAddress(server.from(), true));
      message.setRecipient(Message.RecipientType.TO, new InternetAddress(notice.target(), true));
      message.setSubject(subject(news), StandardCharsets.UTF_8.name());
      message.setText(text(news), StandardCharsets.UTF_8.name());
      message.setHeader(
          "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.instant().atOffset(UTC)));
      message.setHeader("X-Gleaner-Notice", notice.key());
      message.setHeader("Auto-Submitted", "auto-generated");
      Transport.send(message);
    } catch (MessagingException e) {
      throw new IOException("the mail server did not take it: " + e.getMessage(), e);
    }
  }

  private static String subject(BagNews news) {
    String what =
        news.event().equals("budget_80")
            ? "has spent four fifths of its budget"
            : "is " + news.state().toLowerCase(Locale.ROOT);
    return "Bag " + news.name() + " " + what;
  }

  private static String text(BagNews news) {
    return """
        Bag:       %s (%s)
        Owner:     %s
        State:     %s
        Tasks:     %d completed, %d failed, %d in all
        Credits:   %s spent of %s
        %s
        """
        .formatted(
            news.name(),
            news.bag(),
            news.owner(),
            news.state(),
            news.completed(),
            news.failed(),
            news.tasks(),
            Credits.text(news.spentMicros()),
            Credits.text(news.budgetMicros()),
            news.note());
  }

  private static Authenticator authenticator(MailServer server) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return server
            .login()
            .map(login -> new PasswordAuthentication(login.name(), password(login)))
            .orElse(null);
      }
    };
  }

  private static String password(MailServer.Login login) {
    return login.password().reveal();
  }
}
