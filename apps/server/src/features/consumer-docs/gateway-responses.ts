import { gatewayErrorTable } from '@gatehouse/contract'
import type { DocumentedEndpoint } from './served-docs.ts'

/** What the gateway may answer itself, by status: the name of the response, and its headers. */
const answers = {
  401: { name: 'Unauthenticated', headers: ['WWW-Authenticate'] },
  403: { name: 'AccessDenied', headers: [] },
  404: { name: 'NotFound', headers: [] },
  422: { name: 'DoesNotFit', headers: [] },
  429: { name: 'TooManyRequests', headers: ['Retry-After'] },
  502: { name: 'BadGateway', headers: [] },
  503: { name: 'Unavailable', headers: ['Retry-After'] },
  504: { name: 'GatewayTimeout', headers: [] },
} as const

type AnswerStatus = keyof typeof answers
type Refusable = Pick<DocumentedEndpoint, 'requires_token' | 'validation'>
const statuses = Object.keys(answers).map(Number) as AnswerStatus[]

/** Those of a token, and of a check, only where there is one. */
const statusesOf = ({ requires_token, validation }: Refusable) =>
  statuses.filter(
    (status) =>
      (requires_token || status !== 401) && (validation?.mode === 'enforce' || status !== 422),
  )

/** References to the responses of an operation. */
export const responseReferences = (endpoint: Refusable) =>
  Object.fromEntries(
    statusesOf(endpoint).map((status) => [
      status,
      { $ref: `#/components/responses/${answers[status].name}` },
    ]),
  )

const headerTexts = {
  'WWW-Authenticate': 'How to authenticate (RFC 9110 §11.6.1).',
  'Retry-After': 'Seconds to wait before the next try.',
}

/** The responses that operations of these endpoints refer to. Their descriptions name the codes. */
export const gatewayResponses = (endpoints: readonly Refusable[]) =>
  Object.fromEntries(
    [...new Set(endpoints.flatMap(statusesOf))]
      .toSorted((a, b) => a - b)
      .map((status) => {
        const { name, headers } = answers[status]
        const shown = headers.map((header) => [
          header,
          { description: headerTexts[header], schema: { type: 'string' } },
        ])
        const response = {
          description: codesOf(status),
          ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        }
        return [name, response]
      }),
  )

function codesOf(status: number): string {
  const lines = Object.entries(gatewayErrorTable)
    .filter(([, error]) => error.status === status)
    .map(([code, { message }]) => `- \`${code}\`: ${message}`)
  return ['The gateway answers itself:', '', ...lines].join('\n')
}

/** The body of each of these answers. */
export const problemSchema = {
  type: 'object',
  description: 'Why the gateway refused the call, or could not carry it out.',
  properties: {
    message: { type: 'string', description: 'In words, for people.' },
    code: { type: 'string', description: 'For programs. The first part says whose fault it is.' },
    request_id: { type: 'string', description: 'Finds the call in the logs: give it to support.' },
    errors: {
      type: 'object',
      description: 'Messages by place: a JSON pointer, such as `/body/lines/0/quantity`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
  required: ['message', 'code', 'request_id'],
}
