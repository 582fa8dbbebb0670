import { z } from 'zod'
import { flag, text } from '../../kernel/fields.ts'
import { acrossFields } from '../../kernel/across-fields.ts'
import { pemCertificates } from './pem-certificates.ts'
import type { Merged } from './keep-secrets.ts'
import { secretLine, secretText } from './credential-fields.ts'
import { joinFields, keepSecrets, splitFields } from './secret-fields.ts'
import type { SecretTexts } from './secret-fields.ts'
import { tlsFields } from './stored-tls.ts'
import type { ShownTls, StoredTls } from './stored-tls.ts'

export * from './stored-tls.ts'

const privateKey =
  /^\s*-----BEGIN (?:RSA |EC |ENCRYPTED )?PRIVATE KEY-----[\s\S]+-----END (?:RSA |EC |ENCRYPTED )?PRIVATE KEY-----\s*$/

const certificate = (label: string) =>
  text(262_144, label, { isMultiline: true }).refine(
    (value) => value === '' || pemCertificates.test(value),
    { error: `The ${label} must be PEM text that begins with -----BEGIN CERTIFICATE-----.` },
  )

const pfxFile = secretText(262_144, 'PFX file')
  .transform((value) => value.replace(/\s+/g, ''))
  .refine(
    (value) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
    { error: 'The PFX file must be base64.' },
  )

/** TLS settings as a call gives them. `pfx: null` forgets the stored file and its passphrase. */
export type GivenTls = Omit<StoredTls, 'pfx'> & { pfx: string | null }

/** The TLS settings as the form sends them: secrets that are absent or blank come out blank. */
export const tlsInput = z
  .object(
    {
      client_certificate: certificate('client certificate'),
      client_key: secretText(65_536, 'client key').refine(
        (value) => value === '' || privateKey.test(value),
        { error: 'The client key must be PEM text that begins with -----BEGIN PRIVATE KEY-----.' },
      ),
      pfx: pfxFile.nullable(),
      passphrase: secretLine(1_024, 'passphrase'),
      ca: certificate('certificate of the authority'),
      legacy_renegotiation: flag,
    },
    { error: 'The TLS settings must be an object.' },
  )
  .superRefine(
    ...acrossFields<GivenTls>(({ client_certificate, client_key, pfx }, context) => {
      if (!pfx || (!client_certificate && !client_key)) return
      context.addIssue({
        code: 'custom',
        path: ['pfx'],
        message: 'Give a certificate and its key, or a PFX file, not both.',
      })
    }),
  )
export type TlsInput = z.input<typeof tlsInput>

/** The form without secrets: what answers hold, and what is stored in clear. */
export const shownTls: z.ZodType<ShownTls> = z.object({
  client_certificate: z.string(),
  has_client_key: z.boolean(),
  has_pfx: z.boolean(),
  has_passphrase: z.boolean(),
  ca: z.string(),
  legacy_renegotiation: z.boolean(),
})

/** The whole form, as the server and its gateway pass it on. */
export const storedTls: z.ZodType<StoredTls> = z.object({
  client_certificate: z.string(),
  client_key: z.string(),
  pfx: z.string(),
  passphrase: z.string(),
  ca: z.string(),
  legacy_renegotiation: z.boolean(),
})

/** Parts TLS settings for storage, as `splitSecrets` does with a credential. */
export function splitTls(whole: StoredTls): { shown: ShownTls; secrets: SecretTexts } {
  const { shown, secrets } = splitFields({ ...whole }, tlsFields)
  return { shown: shown as unknown as ShownTls, secrets }
}

/** The settings that `splitTls` parted. */
export const joinTls = (shown: ShownTls, secrets: SecretTexts): StoredTls =>
  joinFields({ shown: { ...shown }, secrets }, tlsFields) as unknown as StoredTls

/**
 * TLS settings as they are saved: secrets that were left blank are the stored ones. A certificate that
 * is given replaces a stored PFX file, and the other way round.
 */
export function mergeKeptTls(given: GivenTls, stored: StoredTls | undefined): Merged<StoredTls> {
  const filled = stored ? keepSecrets({ ...given }, { ...stored }, tlsFields) : { ...given }
  const kept = { ...filled, pfx: filled.pfx ?? '' } as StoredTls
  const value = withoutUnused(kept, given)
  const problems = []
  if (value.client_certificate !== '' && value.client_key === '') {
    problems.push({ path: ['client_key'], message: 'The client key field is required.' })
  }
  if (value.client_certificate === '' && given.client_key !== '') {
    problems.push({
      path: ['client_certificate'],
      message: 'The client certificate field is required.',
    })
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value }
}

function withoutUnused(kept: StoredTls, given: GivenTls): StoredTls {
  if (given.client_certificate !== '') return { ...kept, pfx: '' }
  if (given.client_key !== '') return kept
  const hasPfx = kept.pfx !== ''
  return { ...kept, client_key: '', passphrase: hasPfx ? kept.passphrase : '' }
}
