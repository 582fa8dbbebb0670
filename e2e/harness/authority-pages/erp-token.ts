import type { Call } from '../run-product.ts'

/** A user of a program, whose role has no permission, with a token. */
export interface ErpToken {
  token: string
  /** Lets the role run these workflows, and no others. */
  allow(workflowIds: readonly number[]): Promise<void>
}

export async function erpToken(call: Call): Promise<ErpToken> {
  const must = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as Record<string, unknown>
  }
  const password = 'a long enough pass phrase'
  const role = await must('POST', '/api/role', { name: 'ERP', permissions: [] })
  const user = await must('POST', '/api/user', {
    name: 'ERP',
    email: 'erp@example.com',
    username: 'erp',
    password,
    password_confirmation: password,
    roles: [role['id']],
  })
  const made = await must('POST', '/admin/token/store', { user: user['id'], name: 'ERP' })
  return {
    token: (made['access_token'] as { token: string }).token,
    allow: async (workflows) => {
      await must('PUT', `/api/api-permission/${Number(role['id'])}/update`, {
        endpoints: [],
        workflows,
      })
    },
  }
}
