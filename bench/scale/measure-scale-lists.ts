import { openTimedClient } from '../runs/timed-client.ts'
import { median, quantile, rounded } from '../runs/figures.ts'
import { cpuSeconds } from '../gateway/measure.ts'
import type { Product } from '../../e2e/harness/run-product.ts'

const callsPerList = 30

const page = (path: string) => [`${path}?page=1&limit=10`, `${path}?page=1&limit=100`]
const searched = (path: string, ...texts: string[]) =>
  texts.map((text) => `${path}?search=${encodeURIComponent(text)}`)

const lists: Record<string, readonly string[]> = {
  'nothing of it (GET /api/auth)': ['/api/auth'],
  'endpoints: pages': [
    ...page('/api/endpoint'),
    '/api/endpoint?page=1900',
    '/api/endpoint?api_id=500',
  ],
  'endpoints: search': searched('/api/endpoint', 'invoice', 'branch 42', '19', 'nothing like it'),
  'endpoints: sorted': ['/api/endpoint?sort=-path', '/api/endpoint?sort=description&page=900'],
  'APIs: pages': [...page('/api/apis'), '/api/apis?page=90'],
  'APIs: search': searched('/api/apis', 'authority', 'authority 7', 'nothing like it'),
  'APIs: sorted': ['/api/apis?sort=-name', '/api/apis?sort=id&page=50'],
  'contexts: pages and search': [...page('/api/context'), ...searched('/api/context', '77')],
  'roles: pages': [...page('/api/role'), '/api/role?page=40'],
  'roles: search': searched('/api/role', 'branch', '42', 'nothing like it'),
  'users: pages': [...page('/api/user'), '/api/user?page=190', '/api/user?sort=-email'],
  'users: search': searched('/api/user', 'clerk', 'clerk 42', 'nothing like it'),
  'form of a new user': ['/api/user/create'],
  'form of a user': ['/api/user/1000/edit'],
  'form of a new endpoint': ['/api/endpoint/create'],
  'form of an endpoint': ['/api/endpoint/9000/edit'],
  'form of a new role': ['/api/role/create'],
  'form of an API': ['/api/apis/500/edit'],
  'access list: pages': [...page('/api/api-permission'), '/api/api-permission?page=390'],
  'access list: search': searched('/api/api-permission', 'clerk', 'branch 42'),
  'access of a role, whole': ['/api/api-permission/20/edit'],
  'access of a role, a page': ['/api/api-permission/20/edit?limit=100&page=150'],
  'access of a role, few': ['/api/api-permission/20/edit?endpoints=few'],
  'endpoints to give it': ['/api/api-permission/20/endpoints?limit=50&search=invoice'],
  'access of an API': ['/api/apis/500/access/roles', '/api/apis/500/access/endpoints'],
  'who can call an endpoint': ['/api/access/endpoint/9000'],
  'what a user can call, whole': ['/api/access/user/1000/endpoints'],
  'what a role can call, a page': ['/api/access/role/20/endpoints?limit=100&page=9'],
  tokens: ['/api/token'],
  'choices of workflows': ['/api/workflows/create', '/api/workflows/create?search=invoice'],
  workflows: ['/api/workflows'],
  'form of a rule of alarms': ['/api/alarm-rules/create'],
  'the audit trail': [...page('/api/audit'), ...searched('/api/audit', 'admin')],
  'the palette': searched('/api/search', 'invoice', 'authority 77', 'clerk 9', 'branch'),
  home: ['/api/home', '/api/sign-ins'],
  'the gateway and nodes': ['/api/gateway', '/api/nodes'],
  'runs and documents': ['/api/runs', '/api/documents', '/api/lanes'],
  'traffic of all': ['/api/traffic?range=hour', '/api/traffic?range=week'],
  'first steps': ['/api/first-steps'],
}

/** Each list so many times, one call after the other. */
export async function measureScaleLists(product: Product) {
  const client = await openTimedClient(product.url, 1)
  const pid = product.controlPid()
  try {
    const rows = []
    for (const [what, paths] of Object.entries(lists)) {
      const answered: string[] = []
      let bytes = 0
      for (const path of paths)
        try {
          bytes = Math.max(bytes, (await client.get(path)).text.length)
          answered.push(path)
        } catch (error) {
          console.error((error as Error).message)
        }
      const times: number[] = []
      const before = cpuSeconds(pid)
      for (let call = 0; call < callsPerList; call++)
        times.push((await client.get(answered[call % answered.length] ?? '/api/auth')).ms)
      rows.push({
        what,
        figure: rounded(quantile(times, 0.95)),
        goal: 'ms p95 of a list' as const,
        'p50, ms': rounded(median(times)),
        'CPU, ms': rounded(((cpuSeconds(pid) - before) * 1000) / callsPerList),
        kB: Math.round(bytes / 1000),
      })
    }
    return rows
  } finally {
    client.close()
  }
}
