import { readFileSync } from 'node:fs'

const read = (name: string): string =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')

/** For a test server at `localhost`: PEM texts, self-signed. */
export const localhostCertificate = {
  cert: read('localhost-certificate.pem'),
  key: read('localhost-key.pem'),
}
