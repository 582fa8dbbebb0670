import type { AlarmRuleRecord, ScheduleRecord } from '@gatehouse/contract'
import { endpointOf, httpApi, type TestServer } from '../servers/build-server.ts'
import { mailCertificate } from '../servers/mail-server.ts'
import type { Outside } from './outside.ts'

/** Creates what the week is about, as a person would: APIs, workflows, schedules, rules. */
export async function setUp(server: TestServer, outside: Outside, mailPort: number) {
  const { token } = server.admin

  async function must<T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown): Promise<T> {
    const answer = await server.send(method, url, { token, body })
    if (answer.status >= 400) throw new Error(`${method} ${url}: ${answer.text}`)
    return answer.body as T
  }
  const create = async (url: string, body: unknown) =>
    (await must<{ id: number }>('POST', url, body)).id

  const api = (name: string) => create('/api/apis', httpApi({ name, api_url: outside.url }))
  const endpoint = (apiId: number, method_type: string, path: string, run_settings = {}) =>
    create('/api/endpoint', endpointOf(apiId, { method_type, path, summery: path, run_settings }))
  const authority = await api('Authority')
  const erp = await api('ERP')
  const invoicing = await endpoint(authority, 'post', '/invoices', { reference_path: 'no' })
  const list = await endpoint(erp, 'get', '/erp')
  const reporting = await endpoint(erp, 'post', '/reports')

  const workflow = (slug: string, endpointId: number, text: string, more: object) =>
    create('/api/workflows', {
      name: slug,
      slug,
      kind: 'general',
      status: 'active',
      description: '',
      reference_path: '',
      order_key_path: '',
      lane: { name: slug, concurrency: 4, is_strict_order: false },
      steps: [{ endpoint_id: endpointId, body: { kind: 'template', text }, condition: null }],
      ...more,
    })
  const invoices = await workflow('invoices', invoicing, '{"no":"{{input.no}}"}', {
    kind: 'tax',
    reference_path: 'no',
    order_key_path: 'seller',
    lane: { name: 'authority', concurrency: 1, is_strict_order: true },
    callback: { url: `${outside.url}/callbacks` },
  })
  const reports = await workflow('reports', reporting, '{"day":"today"}', {})

  const schedule = async (name: string, cron: string, time_zone: string, more: object = {}) => {
    const start = { start: 'input', input: '{}' }
    const body = { workflow_id: reports, name, cron, time_zone, ...start, ...more }
    return (await must<{ schedule: ScheduleRecord }>('POST', '/api/schedules', body)).schedule.id
  }
  const schedules = {
    'Nightly in Berlin': await schedule('Nightly in Berlin', '30 2 * * *', 'Europe/Berlin'),
    'Nightly in Sydney': await schedule('Nightly in Sydney', '30 2 * * *', 'Australia/Sydney'),
    'Mondays in New York': await schedule('Mondays in New York', '0 6 * * 1', 'America/New_York'),
    'Each hour in Sydney': await schedule('Each hour in Sydney', '0 * * * *', 'Australia/Sydney'),
    'Each quarter of an hour': await schedule('Each quarter of an hour', '*/15 * * * *', 'UTC'),
    'Invoices of the ERP': await schedule('Invoices of the ERP', '5,35 * * * *', 'UTC', {
      workflow_id: invoices,
      start: 'list',
      input: '',
      list: {
        endpoint_id: list,
        request: '{"since":"{{watermark}}"}',
        items_path: 'items',
        reference_path: 'no',
        watermark: { path: 'at', type: 'text', value: '2026-03-28T00:00:00.000Z' },
      },
    }),
  }

  const channel = { is_on: true, tells_end: true }
  await must('POST', '/api/alarm-channels', {
    ...channel,
    name: 'Webhook',
    kind: 'webhook',
    url: `${outside.url}/alarms`,
  })
  await must('POST', '/api/alarm-channels', {
    ...channel,
    name: 'E-mail',
    kind: 'e-mail',
    host: 'localhost',
    port: mailPort,
    ca: mailCertificate,
    from: 'gatehouse@example.com',
    to: ['night@example.com'],
  })

  const [{ data: rules }] = await must<[{ data: AlarmRuleRecord[] }]>(
    'GET',
    '/api/alarm-rules?limit=100',
  )
  const silence = rules.find(({ kind }) => kind === 'silence')
  await must('PUT', `/api/alarm-rules/${silence?.id}`, {
    ...silence,
    is_on: true,
    limits: { hours: 4 },
    where: { workflow_ids: [invoices] },
    calendar: { time_zone: 'Europe/Berlin', weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
  })
  // The disk of this machine is not part of the week.
  const disk = rules.find(({ kind }) => kind === 'disk')
  await must('PUT', `/api/alarm-rules/${disk?.id}`, { ...disk, is_on: false })
  return { must, invoices, reports, schedules }
}
