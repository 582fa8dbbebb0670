import { firstDay, keyOf, userNames } from './planned-run.ts'
import { median, quantile, rounded } from './figures.ts'
import { openTimedClient, type TimedClient } from './timed-client.ts'

const callsPerView = 50

type PathOf = (call: number) => string

const day = (number: number) => new Date(firstDay + number * 86_400_000).toISOString().slice(0, 10)

/** What people ask of the history; `call` makes each of the fifty another question. */
function viewsOf(
  runs: number,
  lastPage: number,
  lastDocuments: number,
  lastAudit: number,
): Record<string, PathOf> {
  const list = (query: string) => `/api/runs?${query}`
  const documents = (query: string) => `/api/documents?${query}`
  const audit = (query: string) => `/api/audit?${query}`
  const kinds = ['build', 'tax', 'credit']
  const states = ['succeeded', 'rejected', 'blocked', 'stopped', 'not_started', 'unknown']
  return {
    'first page': () => list('page=1'),
    'first page, 100 runs': () => list('page=1&limit=100'),
    'last page': () => list(`page=${lastPage}`),
    'any page': (call) => list(`page=${1 + ((call * 7_919) % lastPage)}`),
    kind: (call) => list(`kind=${kinds[call % 3]}`),
    'kind and state': (call) => list(`kind=${kinds[call % 3]}&state=${states[call % 6]}`),
    'kind and state, page 20': (call) => list(`kind=tax&state=succeeded&page=${20 + call}`),
    'test invoices': () => list('test=1'),
    'no test invoices': () => list('test=0'),
    'a day': (call) => list(`from=${day(call * 14)}&to=${day(call * 14)}`),
    'a year': (call) => list(`from=${day(call)}&to=${day(call + 365)}`),
    'reference, whole': (call) => list(`reference=INV-2025-0${30_000 + call * 97}`),
    'reference, beginning': (call) => list(`reference=INV-2025-0${30 + (call % 20)}`),
    'reference, all of a year': () => list('reference=INV-2025'),
    'user by number': (call) => list(`user=${1 + (call % 40)}`),
    'user by name': (call) => list(`user=${encodeURIComponent(userNames[call % 40] ?? '')}`),
    'search, few': (call) => list(`search=inv-2025-0${30_000 + call * 97}`),
    'search, many': (call) => list(`search=${['amal', 'receipt', 'inv-', 'clerk'][call % 4]}`),
    'search, none': (call) => list(`search=nothing+like+this+${call}`),
    'search and filters': (call) => list(`search=clerk&kind=tax&state=${states[call % 6]}&test=0`),
    'idempotency key': (call) => list(`key=${keyOf((call * 1_999) % runs)}`),
    'by user, first page': () => list('sort=user_name'),
    'by kind, any page': (call) => list(`sort=kind&page=${1 + ((call * 7_919) % lastPage)}`),
    'by state, last page': () => list(`sort=-state&page=${lastPage}`),
    'by end, last page': () => list(`sort=finished_at&page=${lastPage}`),
    'badge of unknown': () => '/api/runs/unknown',
    'documents, first page': () => documents('page=1'),
    'documents, last page': () => documents(`page=${lastDocuments}`),
    'documents, any page': (call) => documents(`page=${1 + ((call * 7_919) % lastDocuments)}`),
    'documents, by reference, any page': (call) =>
      documents(`sort=reference&page=${1 + ((call * 7_919) % lastDocuments)}`),
    'documents, by state, last page': () => documents(`sort=state&page=${lastDocuments}`),
    'documents, search, few': (call) => documents(`search=inv-2025-0${30_000 + call * 97}`),
    'documents, search, many': (call) => documents(`search=${['inv-', 'crn', 'aut-'][call % 3]}`),
    'documents, search, none': (call) => documents(`search=nothing+like+this+${call}`),
    'audit, first page': () => audit('page=1'),
    'audit, last page': () => audit(`page=${lastAudit}`),
    'audit, search, few': (call) => audit(`search=thing+${call}7`),
    'audit, search, many': () => audit('search=clerk'),
    'audit, by actor': (call) => audit(`actor=${encodeURIComponent(userNames[call % 40] ?? '')}`),
    'one run': (call) => `/api/runs/${1 + ((call * 1_999) % runs)}`,
  }
}

/** Each view fifty times over HTTP, one call after the other. */
export async function measureHistory(url: string, runs: number) {
  const client = await openTimedClient(url, 1)
  try {
    const lastPageOf = async (path: string) => {
      const [{ last_page }] = JSON.parse((await client.get(path)).text) as [{ last_page: number }]
      return last_page
    }
    const views = viewsOf(
      runs,
      await lastPageOf('/api/runs'),
      await lastPageOf('/api/documents'),
      await lastPageOf('/api/audit'),
    )
    for (let warm = 0; warm < 100; warm++) await client.get('/api/auth')
    const rows = [await measureView(client, 'nothing of it (GET /api/auth)', () => '/api/auth')]
    for (const [name, pathOf] of Object.entries(views))
      rows.push(await measureView(client, name, pathOf))
    return rows
  } finally {
    client.close()
  }
}

async function measureView(client: TimedClient, view: string, pathOf: PathOf) {
  const times: number[] = []
  // The first is not counted: it compiles the statement.
  await client.get(pathOf(0))
  for (let call = 0; call < callsPerView; call++) times.push((await client.get(pathOf(call))).ms)
  return {
    view,
    'half, ms': rounded(median(times)),
    '90 %, ms': rounded(quantile(times, 0.9)),
    '99 %, ms': rounded(quantile(times, 0.99)),
  }
}
