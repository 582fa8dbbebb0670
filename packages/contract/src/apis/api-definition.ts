import { apiFields, httpFields, procedureFields } from './api-fields.ts'
import type { ApiFields, commonFields } from './api-fields.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import type { StoredCredential } from './sign-in/stored-credential.ts'
import { ownUrlIssues } from './policy/traffic-policy-input.ts'

type PartOf<Shape> = Pick<ApiFields, keyof Shape & keyof ApiFields>
type CommonPart = Omit<PartOf<typeof commonFields>, 'api_protocol'>
type ProcedurePart = PartOf<typeof procedureFields>

type HttpPart = Omit<PartOf<typeof httpFields>, 'upstream_token' | 'clear_upstream_token'>

export interface HttpApiDefinition extends CommonPart, HttpPart {
  api_protocol: 'http'
  /** Of whatever field it was sent in. Secrets may be blank: the stored ones are meant. */
  credential: StoredCredential | null | undefined
}

export interface ProcedureApiDefinition extends CommonPart, ProcedurePart {
  api_protocol: 'stored_procedure'
  driver: NonNullable<ProcedurePart['driver']>
  port: NonNullable<ProcedurePart['port']>
}

/** An API as it was sent and checked: with the fields of its own protocol only. */
export type ApiDefinition = HttpApiDefinition | ProcedureApiDefinition

const requiredPerProtocol: Record<string, Record<string, string>> = {
  http: { api_url: 'base URL' },
  stored_procedure: {
    driver: 'driver',
    host: 'host',
    port: 'port',
    database: 'database',
    username: 'username',
    func_name: 'stored procedure method',
  },
}

const checkedFields = apiFields.superRefine(
  ...acrossFields<Record<string, unknown>>((definition, context) => {
    const required = requiredPerProtocol[String(definition['api_protocol'])] ?? {}
    for (const [field, label] of Object.entries(required)) {
      if ((definition[field] ?? '') !== '') continue
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `The ${label} field is required.`,
      })
    }
    if (definition['authentication'] === true && (definition['auth_type'] ?? '') === '') {
      context.addIssue({
        code: 'custom',
        path: ['auth_type'],
        message: 'The auth type field is required.',
      })
    }
    if (
      (definition['credential'] ?? null) !== null &&
      (definition['upstream_token'] ?? '') !== ''
    ) {
      context.addIssue({
        code: 'custom',
        path: ['upstream_token'],
        message: 'Give the upstream token or the sign-in, not both.',
      })
    }
    for (const issue of ownUrlIssues(definition)) context.addIssue(issue)
  }),
)

/** The checks have seen to it that the fields of its protocol are there. */
function toDefinition({
  upstream_token,
  clear_upstream_token,
  ...fields
}: ApiFields): ApiDefinition {
  const isHttp = fields.api_protocol === 'http'
  const ignored = isHttp ? procedureFields : httpFields
  const own = Object.entries(fields).filter(([field]) => !Object.hasOwn(ignored, field))
  const definition = Object.fromEntries(own) as unknown as ApiDefinition
  if (!isHttp || fields.credential !== undefined) return definition
  return {
    ...definition,
    credential: tokenCredential(upstream_token, clear_upstream_token),
  } as HttpApiDefinition
}

function tokenCredential(token: string, isCleared: boolean): HttpApiDefinition['credential'] {
  if (token === '') return isCleared ? null : undefined
  return { kind: 'bearer', token, scheme: 'Bearer', refused_when: null }
}

/** An API as the form sends it. Fields of the protocol that was not chosen are ignored. */
export const apiDefinition = checkedFields.transform(toDefinition)

/** A new API: a stored procedure needs its password now; later, blank keeps the stored one. */
export const newApiDefinition = checkedFields
  .superRefine(
    ...acrossFields<Record<string, unknown>>(({ api_protocol, password }, context) => {
      if (api_protocol === 'stored_procedure' && (password ?? '') === '') {
        context.addIssue({
          code: 'custom',
          path: ['password'],
          message: 'The password field is required.',
        })
      }
    }),
  )
  .transform(toDefinition)
