/**
 * One or more certificates in PEM, with white space around each. White space is looked for at one place alone: at
 * two, a long text that does not fit would be tried in more ways than any server can.
 */
export const pemCertificates =
  /^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/
