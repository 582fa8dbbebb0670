import { median, quantile, rounded } from '../runs/figures.ts'
import { openTimedClient } from '../runs/timed-client.ts'

const callsPerList = 40

const lists: Record<string, readonly string[]> = {
  'nothing of it (GET /api/auth)': ['/api/auth'],
  'first page': ['/api/endpoint?page=1&limit=10'],
  'a deep page': ['/api/endpoint?page=5000&limit=10', '/api/endpoint?page=9999&limit=10'],
  'search, one hit': ['/api/endpoint?search=Filled+journal+9001'],
  'search, many hits': ['/api/endpoint?search=invoice', '/api/endpoint?search=invoice&page=500'],
  'search, several words': ['/api/endpoint?search=journal+branch+42'],
  'search, no hit': ['/api/endpoint?search=nothing+like+it'],
  'search, all are hits': ['/api/endpoint?search=sends'],
  'search, two characters': ['/api/endpoint?search=42'],
  'search with a filter': ['/api/endpoint?search=invoice&status=active'],
  'search, sorted by path': ['/api/endpoint?search=invoice&sort=-path&page=500'],
  ...Object.fromEntries(
    ['id', 'path', 'description', 'status', 'method_type'].map((sort) => [
      `sorted by ${sort}`,
      [`/api/endpoint?sort=${sort}`, `/api/endpoint?sort=-${sort}&page=5000`],
    ]),
  ),
  'by method and status': ['/api/endpoint?method_type=post', '/api/endpoint?status=active'],
  'filters that find nothing, sorted by path': [
    '/api/endpoint?status=disabled&method_type=get&sort=path',
  ],
  'of an API, a deep page': ['/api/endpoint?api_id=1&page=9000'],
  'choices, typed': [
    '/api/workflows/create?search=invoice',
    '/api/workflows/create?search=journal+9001',
  ],
  'choices, nothing typed': ['/api/workflows/create'],
  'access of a role': ['/api/api-permission/2/edit?endpoints=few'],
  'endpoints to give it': [
    '/api/api-permission/2/endpoints?limit=50',
    '/api/api-permission/2/endpoints?limit=50&search=post+invoice',
  ],
  'APIs with their endpoints': ['/api/apis?page=1&limit=10'],
  'traffic of all, an hour': ['/api/traffic?range=hour'],
  'traffic of an API, an hour': ['/api/traffic?range=hour&api_id=1'],
  'traffic of an API, a day': ['/api/traffic?range=day&api_id=1'],
  'traffic of an API, a week': ['/api/traffic?range=week&api_id=1'],
}

/** Each list so many times, one call after the other. */
export async function measureLists(url: string) {
  const client = await openTimedClient(url, 1)
  try {
    const rows = []
    for (const [list, paths] of Object.entries(lists)) {
      const times: number[] = []
      for (const path of paths) await client.get(path)
      for (let call = 0; call < callsPerList; call++)
        times.push((await client.get(paths[call % paths.length] ?? '')).ms)
      rows.push({
        list,
        'p50, ms': rounded(median(times)),
        'p95, ms': rounded(quantile(times, 0.95)),
      })
    }
    return rows
  } finally {
    client.close()
  }
}
