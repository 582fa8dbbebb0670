import { issuerInput, type IssuerRecord } from '@gatehouse/contract'
import { fieldsOf, pick, type Section } from './section.ts'

const issuerFields = fieldsOf(issuerInput, ['name', 'version'])

/** Whose JWTs callers of the gateway may show. Their keys are public. */
export const issuers: Section = {
  name: 'token_issuers',
  fields: issuerFields,
  read: async (api) =>
    (await api.list<IssuerRecord>('/api/token-issuers')).map(({ roles, ...row }) => ({
      id: row.id,
      name: row.name,
      value: pick(
        { ...row, roles: roles.map(({ value, role_id }) => ({ value, role_id })) },
        issuerFields,
      ),
      secrets: [],
    })),
  secretsOf: () => [],
  create: (value, name) => ({
    method: 'POST',
    url: '/api/token-issuers',
    body: { ...value, name },
  }),
  update: (id, value, name) => ({
    method: 'PUT',
    url: `/api/token-issuers/${id}`,
    body: { ...value, name },
  }),
  remove: (id) => `/api/token-issuers/${id}`,
  idIn: (answer) => (answer as { issuer: { id: number } }).issuer.id,
}
