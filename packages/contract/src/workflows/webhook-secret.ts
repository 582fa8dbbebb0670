import { typedSecret } from '../kernel/fields.ts'

/** What is wrong with a URL that results are sent to, or undefined. */
export function callbackUrlProblem(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:\/\//i.test(value))
    return 'The URL must start with http:// or https:// and name a host.'
  if (url.username || url.password) return 'The URL may not contain a user name or password.'
  if (url.hash !== '' || value.includes('#')) return 'The URL may not contain a fragment.'
  return undefined
}

const bytesMin = 24
const bytesMax = 64

/** As Standard Webhooks write secrets: `whsec_` and 24 to 64 bytes in base64. */
export function webhookSecretProblem(value: string): string | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1]
  const bytes = encoded === undefined ? 0 : Math.floor((encoded.replace(/=+$/, '').length * 3) / 4)
  return bytes >= bytesMin && bytes <= bytesMax
    ? undefined
    : `The secret must be whsec_ and ${bytesMin} to ${bytesMax} bytes in base64.`
}

/** A secret of a webhook, taken as typed. Absent or blank keeps the stored one. */
export const webhookSecret = typedSecret(200, 'secret').superRefine((value, context) => {
  const message = value ? webhookSecretProblem(value) : undefined
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})
