import {
  endpointOf,
  httpApi,
  procedureApi,
  workflowOf,
  type TestServer,
} from '../servers/build-server.ts'

/** Secrets of the configuration below, by their references. */
export const configuredSecrets = {
  'env:APIS_ERP_CREDENTIAL_CLIENT_SECRET': 'planted-client-secret',
  'env:APIS_ERP_TEST_CREDENTIAL_HEADERS_0_VALUE': 'planted-header-value',
  'env:APIS_LEDGER_PASSWORD': 'planted-database-password',
  'env:APIS_TAX_CREDENTIAL_TOKEN': 'planted-upstream-token',
  'env:WORKFLOWS_INVOICES_CALLBACK_SECRET': `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  'env:WEBHOOKS_SALLA_ORDERS_SECRET': 'planted-webhook-secret',
  'env:ALARM_CHANNELS_DUTY_SECRET': 'planted-mail-password',
} as const

/** Adds something to every section of the configuration, by the calls of the screens. */
export async function configure(server: TestServer): Promise<void> {
  const { token } = server.admin
  const call = async (method: 'POST' | 'PUT', url: string, body: unknown): Promise<number> => {
    const answer = await server.send(method, url, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`)
    const saved = (answer.body ?? {}) as Record<string, { id: number }> & { id?: number }
    return saved.id ?? Object.values(saved).find((each) => typeof each === 'object')?.id ?? 0
  }
  const secret = (name: keyof typeof configuredSecrets) => configuredSecrets[name]
  const erp = await call('POST', '/api/apis', {
    ...httpApi({ name: 'ERP', api_url: 'https://erp.example.com', authentication: true }),
    auth_type: 'bearer_token',
    test_api_url: 'https://test.example.com',
    static_headers: [{ name: 'X-Plant', value: 'Riyadh' }],
    connect_timeout_ms: 1500,
    credential: {
      kind: 'oauth2_client_credentials',
      token_url: 'https://erp.example.com/token',
      client_id: 'gatehouse',
      client_secret: secret('env:APIS_ERP_CREDENTIAL_CLIENT_SECRET'),
      scope: 'invoices',
    },
    test_credential: {
      kind: 'headers',
      headers: [{ name: 'X-Key', value: secret('env:APIS_ERP_TEST_CREDENTIAL_HEADERS_0_VALUE') }],
    },
    traffic_policy: { rate_limit: { requests: 60, window_seconds: 60, per: 'token' } },
  })
  const tax = await call('POST', '/api/apis', {
    ...httpApi({ name: 'Tax', api_url: 'https://tax.example.com' }),
    offer_to_agents: true,
    upstream_token: secret('env:APIS_TAX_CREDENTIAL_TOKEN'),
  })
  await call('POST', '/api/apis', {
    ...procedureApi(),
    password: secret('env:APIS_LEDGER_PASSWORD'),
  })
  await call('PUT', `/api/context/${tax}`, { context: 'authority/v1' })
  const status = await call('POST', '/api/endpoint', endpointOf(tax, { path: '/z-status/{id}' }))
  const report = await call(
    'POST',
    '/api/endpoint',
    endpointOf(tax, {
      method_type: 'post',
      path: '/invoices',
      agent_offer: 'offered',
      tool_name: 'report_an_invoice',
      tool_description: 'Reports one invoice.',
      agent_release_hours: 24,
      answer_timeout_ms: 45_000,
      parameters: [{ name: 'body', in: 'body', is_required: true, type: 'application/json' }],
      run_settings: {
        effect: 'submit',
        reference_path: 'no',
        status_query: {
          endpoint_id: status,
          parameter: 'id',
          received: { statuses: '200' },
          not_received: { statuses: '404' },
        },
      },
    }),
  )
  const orders = await call(
    'POST',
    '/api/endpoint',
    endpointOf(erp, {
      path: '/orders',
      static_headers: [{ name: 'X-List', value: 'all' }],
      enable_custom_output: 1,
      custom_output: '{"orders": {{body.orders}}}',
      description: 'Every order,\n"quoted": yes',
    }),
  )
  const workflow = await call('POST', '/api/workflows', {
    ...workflowOf(report, { status: 'active', reference_path: 'no' }),
    input_schema: '{"type":"object","properties":{"total":{"multipleOf":0.10}}}',
    sample_input: '{"no":"INV-1","total":12345678901234567890.10}',
    lane: { name: 'Authority', concurrency: 2, per_minute: 30 },
    callback: {
      url: 'https://erp.example.com/results',
      secret: secret('env:WORKFLOWS_INVOICES_CALLBACK_SECRET'),
    },
  })
  await call('POST', `/api/workflows/${workflow}/hooks`, {
    name: 'salla-orders',
    preset: 'salla',
    secret: secret('env:WEBHOOKS_SALLA_ORDERS_SECRET'),
    filter: { where: 'header', name: 'x-event', equals: 'order.created' },
  })
  const times = { workflow_id: workflow, cron: '30 2 * * *', time_zone: 'Asia/Riyadh' }
  await call('POST', '/api/schedules', {
    ...times,
    name: 'Nightly',
    start: 'input',
    input: '{"id":"1","no":"INV-1"}',
  })
  const list = { endpoint_id: orders, items_path: 'orders', reference_path: 'no' }
  await call('POST', '/api/schedules', { ...times, name: 'Orders', start: 'list', list })
  await call('POST', '/api/reconciliations', {
    name: 'Day by day',
    workflow_id: workflow,
    erp: list,
    amount_path: 'total',
    cron: '0 5 * * *',
    time_zone: 'Asia/Riyadh',
  })
  const channel = await call('POST', '/api/alarm-channels', {
    name: 'Duty',
    kind: 'e-mail',
    is_on: true,
    host: 'mail.example.com',
    user: 'gatehouse',
    from: 'gatehouse@example.com',
    to: ['duty@example.com'],
    secret: secret('env:ALARM_CHANNELS_DUTY_SECRET'),
  })
  const lane = await server.db.selectFrom('lane').select('id').executeTakeFirstOrThrow()
  await call('POST', '/api/alarm-rules', {
    name: 'Backlog of the authority',
    kind: 'lane_depth',
    is_on: true,
    where: { lane_ids: [lane.id] },
    channels: { is_all: false, ids: [channel] },
  })
  await call('PUT', '/api/archive/settings', {
    test_days: 30,
    read_days: 90,
    submit_days: null,
    cron: '0 3 * * *',
    time_zone: 'Asia/Riyadh',
  })
  const role = await call('POST', '/api/role', { name: 'Cashiers', permissions: ['run.view'] })
  await call('PUT', `/api/api-permission/${role}/update`, {
    endpoints: [orders, report],
    workflows: [workflow],
  })
  await call('POST', '/api/token-issuers', {
    name: 'Company login',
    is_active: true,
    issuer: 'https://login.example.com/',
    audience: 'gatehouse',
    jwks: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----`,
    algorithms: ['EdDSA'],
    skew_seconds: 30,
    role_claim: 'groups',
    roles: [{ value: 'tills', role_id: role }],
  })
}
