package io.gleaner.authority;

import static io.gleaner.secrets.Refused.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Random;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SigningRequestTest {

  @Test
  void aRequestCarriesItsKey() {
    KeyPair keys = P256.generate();
    assertThat(SigningRequest.decode(SigningRequest.encode(keys)).key())
        .isEqualTo(keys.getPublic());
  }

  @Test
  void whatTheRequestClaimsToBeIsIgnored() throws Exception {
    KeyPair keys = P256.generate();
    ExtensionsGenerator claims = new ExtensionsGenerator();
    claims.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            new GeneralName(GeneralName.uniformResourceIdentifier, "gleaner://home/node/-/n1")));
    byte[] der =
        new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=node n1"), keys.getPublic())
            .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, claims.generate())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
            .getEncoded();

    TestPool pool = TestPool.fresh();
    var issued = pool.authority.issue(TestPool.device("d1"), SigningRequest.decode(der));
    assertThat(PoolIdentity.of(issued.certificate())).contains(TestPool.device("d1"));
    assertThat(issued.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=device d1");
  }

  @Test
  void aRequestForSomebodyElsesKeyIsRefused() throws Exception {
    KeyPair victim = P256.generate();
    KeyPair own = P256.generate();
    byte[] der =
        new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=x"), victim.getPublic())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(own.getPrivate()))
            .getEncoded();
    assertRefused(
        Code.REQUEST_REFUSED, "its signature is not that", () -> SigningRequest.decode(der));
  }

  @Test
  void otherCurvesAlgorithmsAndHashesAreRefused() throws Exception {
    KeyPairGenerator curves = KeyPairGenerator.getInstance("EC");
    curves.initialize(new ECGenParameterSpec("secp384r1"));
    byte[] p384 = request(curves.generateKeyPair(), "SHA256withECDSA");
    assertRefused(Code.REQUEST_REFUSED, "not one of P-256", () -> SigningRequest.decode(p384));

    byte[] rsa = request(KeyPairGenerator.getInstance("RSA").generateKeyPair(), "SHA256withRSA");
    assertRefused(Code.REQUEST_REFUSED, "not one of P-256", () -> SigningRequest.decode(rsa));

    byte[] sha1 = request(P256.generate(), "SHA1withECDSA");
    assertRefused(Code.REQUEST_REFUSED, "ECDSA with SHA-256", () -> SigningRequest.decode(sha1));
  }

  @Test
  void aPointOffTheCurveIsRefused() {
    byte[] der = SigningRequest.encode(P256.generate());
    KeyPair other = P256.generate();
    byte[] point = Arrays.copyOfRange(other.getPublic().getEncoded(), 27, 91);
    int at = indexOf(der, (byte) 4, 66);
    System.arraycopy(point, 0, der, at, 32);
    assertRefused(Code.REQUEST_REFUSED, "", () -> SigningRequest.decode(der));
  }

  @Test
  void rubbishIsRefusedInASentence() {
    long seed = Long.getLong("gleaner.seed", new Random().nextLong());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] right = SigningRequest.encode(P256.generate());
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = right.clone();
      for (int flips = random.nextInt(1, 5); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      byte[] tried =
          switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 40));
            default -> bytes;
          };
      if (!Arrays.equals(tried, right)) {
        try {
          assertThat(SigningRequest.decode(tried).key()).isNotNull();
        } catch (SecurityRefusal refusal) {
          assertThat(refusal.code()).isEqualTo(Code.REQUEST_REFUSED);
        }
      }
    }
    assertThatThrownBy(() -> SigningRequest.decode(new byte[5000]))
        .hasMessageContaining("more than 4096 bytes");
  }

  private static byte[] request(KeyPair keys, String algorithm) throws Exception {
    return new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=x"), keys.getPublic())
        .build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate()))
        .getEncoded();
  }

  // Where the coordinates of the uncompressed point begin: after BIT STRING, its length, 0 and 4.
  private static int indexOf(byte[] der, byte marker, int length) {
    for (int i = 0; i + 4 < der.length; i++) {
      if (der[i] == 3 && der[i + 1] == length && der[i + 2] == 0 && der[i + 3] == marker) {
        return i + 4;
      }
    }
    throw new AssertionError("no point in the request");
  }
}
