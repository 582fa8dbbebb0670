import { z } from 'zod'
import { hopByHopNames, isHeaderName } from '../../endpoints/header-names.ts'
import { acrossFields } from '../../kernel/across-fields.ts'
import { requiredText, text } from '../../kernel/fields.ts'

/** A header that is sent with a call. */
export interface NamedValue {
  name: string
  value: string
}

/** Fields of one connection or of the message's framing (RFC 9110 §7.6.1, §8), which the client sets itself. */
const framingNames: ReadonlySet<string> = new Set([
  ...hopByHopNames,
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
])

/** What Gatehouse says about a call itself. */
const ownName = /^(?:via|x-request-id|x-forwarded-.*|x-gatehouse-.*)$/

/** What is wrong with the name of a header that an administrator adds to calls, or undefined. */
export function outgoingHeaderProblem(name: string): string | undefined {
  if (!isHeaderName(name)) {
    return 'This is not the name of a header: use letters, digits and - like X-Api-Key.'
  }
  const lower = name.toLowerCase()
  if (lower === 'content-type') return 'The content type is set beside the body, not as a header.'
  if (framingNames.has(lower))
    return `The header ${name} belongs to the connection: it is set by itself.`
  if (ownName.test(lower)) return `Gatehouse sets the header ${name} itself.`
  return undefined
}

/** Visible ASCII characters and blanks: CR, LF and NUL would let one header become two (RFC 9110 §5.5). */
const isHeaderValue = (value: string) => /^[\x20-\x7e]*$/.test(value)

const headerValueMessage =
  'A header may only hold visible ASCII characters and blanks, without line breaks.'

const headerName = (isRefused: (lowerName: string) => string | undefined) =>
  requiredText(100, 'name').superRefine((name, context) => {
    if (name === '') return
    const message = outgoingHeaderProblem(name) ?? isRefused(name.toLowerCase())
    if (message) context.addIssue({ code: 'custom', message })
  })

const headerValue = requiredText(2_048, 'value').refine(isHeaderValue, {
  error: headerValueMessage,
})

/** Taken as typed; blank or absent keeps the stored one. */
const secretHeaderValue = z
  .union([z.string(), z.null()], { error: 'The value must be text.' })
  .optional()
  .transform((value) => (value ?? '').replace(/^ +| +$/g, ''))
  .refine((value) => value.length <= 8_192, {
    error: 'The value may not be longer than 8192 characters.',
  })
  .refine(isHeaderValue, { error: headerValueMessage })

interface HeaderListOptions {
  max: number
  /** Values are secret: they may be left out, which keeps the stored ones. */
  isSecret?: boolean
  /** Why a name in small letters is refused here, beside those that are refused everywhere. */
  isRefused?: (lowerName: string) => string | undefined
}

/** A list of headers, each name once. */
export function headerList(label: string, options: HeaderListOptions) {
  return namedList(headerOf(options), label, options.max)
}

function headerOf({ isSecret, isRefused }: Omit<HeaderListOptions, 'max'>) {
  return z.object(
    {
      name: headerName(isRefused ?? (() => undefined)),
      value: isSecret ? secretHeaderValue : headerValue,
    },
    { error: 'Each entry needs a name and a value.' },
  )
}

/** Names of fields that a sign-in sets itself (RFC 6749 §4.4.2, §6; RFC 7523 §2.2). */
const ownFields: ReadonlySet<string> = new Set([
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'grant_type',
  'refresh_token',
])

/** Further fields of a form body. */
export const bodyFieldList = (label: string, max: number) =>
  namedList(
    z.object({
      name: requiredText(100, 'name').refine((name) => !ownFields.has(name), {
        error: 'The sign-in sets this field itself.',
      }),
      value: text(2_048, 'value'),
    }),
    label,
    max,
  )

const namedList = (entry: z.ZodType<NamedValue>, label: string, max: number) =>
  listOf(entry, label, max)
    .nullish()
    .transform((list): NamedValue[] => list ?? [])

/** Each name once. */
function listOf(entry: z.ZodType<NamedValue>, label: string, max: number) {
  return z
    .array(entry, { error: `The ${label} must be a list.` })
    .max(max, { error: `There may be ${max} ${label} at most.` })
    .superRefine(
      ...acrossFields<NamedValue[]>((list, context) => {
        const seen = new Set<string>()
        for (const [at, entry] of Object.entries(list)) {
          const key = entry?.name?.toLowerCase()
          if (key === undefined || key === '') continue
          if (seen.has(key)) {
            const message = 'This name is in the list already.'
            context.addIssue({ code: 'custom', path: [Number(at), 'name'], message })
          }
          seen.add(key)
        }
      }),
    )
}

/**
 * Headers that are sent with every call of an API or of an endpoint. They are not secret. `{uuid}` in
 * a value stands for a fresh UUID in each call.
 */
export const staticHeaders = listOf(
  headerOf({
    isRefused: (name) =>
      name === 'authorization' || name === 'cookie'
        ? 'Static headers are not secret: put this one into the sign-in.'
        : undefined,
  }),
  'headers',
  20,
)
