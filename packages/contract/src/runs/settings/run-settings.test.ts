import { describe, expect, it } from 'vitest'
import { endpointDefinition } from '../../endpoints/endpoints.ts'
import { defaultRunSettings, runProfiles } from './run-profiles.ts'
import { runProfileNames, runSettings, storedRunSettings } from './run-settings.ts'

const endpoint = {
  api_id: 1,
  method_type: 'post',
  status: 'active',
  path: '/invoices',
  summery: 'Invoice',
  description: 'Sends an invoice',
}

function problems(settings: unknown): Record<string, string> {
  const result = endpointDefinition.safeParse({ ...endpoint, run_settings: settings })
  const issues = result.success ? [] : result.error.issues
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
}

it('absent settings stay absent, empty ones become the defaults', () => {
  expect(endpointDefinition.parse(endpoint).run_settings).toBeUndefined()
  expect(endpointDefinition.parse({ ...endpoint, run_settings: {} }).run_settings).toEqual(
    defaultRunSettings,
  )
})

it('what was parsed parses again to the same', () => {
  for (const { settings } of runProfiles) expect(runSettings.parse(settings)).toEqual(settings)
  expect(runSettings.parse(defaultRunSettings)).toEqual(defaultRunSettings)
})

it('a rule that says nothing is no rule', () => {
  expect(runSettings.parse({ success_rule: { statuses: ' ', conditions: [] } }).success_rule).toBe(
    null,
  )
})

it('every profile but the blank one is there once, and each says where its rules come from', () => {
  expect(['', ...runProfiles.map(({ name }) => name)]).toEqual([...runProfileNames])
  for (const { name, settings, sources } of runProfiles) {
    expect(settings.profile).toBe(name)
    const about = sources.map((source) => source.about).join()
    for (const label of ['Success rule', 'Duplicate rule', 'Duplicate-safe']) {
      expect(about, name).toContain(label)
    }
    for (const { standing, url } of sources) {
      if (standing !== 'inferred') expect(url, name).toMatch(/^https:\/\//)
    }
  }
})

it('errors stand at the nested field they belong to', () => {
  expect(
    problems({
      effect: 'sometimes',
      success_rule: {
        statuses: '2xx',
        conditions: [
          { path: 'a..b', test: 'equals', value: '' },
          { path: '', test: 'exists', value: '' },
          { path: 'status', test: 'equals', value: '' },
          { path: 'status', test: 'matches', value: 'x' },
        ],
      },
      status_query: { endpoint_id: '', received: {}, not_received: { statuses: '404' } },
      reference_path: '$[?(@.a)]',
      qr_path: 'a[',
    }),
  ).toEqual({
    'run_settings.effect': expect.stringContaining('read, idempotent, submit'),
    'run_settings.success_rule.statuses': expect.stringContaining('100 to 599'),
    'run_settings.success_rule.conditions.0.path': expect.stringContaining('cannot be used'),
    'run_settings.success_rule.conditions.0.value': expect.stringContaining('required'),
    'run_settings.success_rule.conditions.1.path': 'The path field is required.',
    'run_settings.success_rule.conditions.2.value': expect.stringContaining('required'),
    'run_settings.success_rule.conditions.3.test': expect.stringContaining('one of'),
    'run_settings.status_query.endpoint_id': 'Choose the endpoint that is asked.',
    'run_settings.status_query.received.statuses': expect.stringContaining('received'),
    'run_settings.reference_path': expect.stringContaining('filters are not supported'),
    'run_settings.qr_path': expect.stringContaining('closing bracket'),
  })
})

it.each(['Authorization', 'host', 'Content-Type', 'Transfer-Encoding', 'Cookie', 'X Key', 'X:Y'])(
  'the key may not travel in the header %s',
  (idempotency_header) => {
    expect(problems({ idempotency_header })).toHaveProperty(['run_settings.idempotency_header'])
  },
)

it.each(['Idempotency-Key', 'X-Request-Id', ''])('the key may travel in "%s"', (name) => {
  expect(problems({ idempotency_header: name })).toEqual({})
})

it.each([
  'documents[0].no',
  'documents[*].no',
  '$.documents[-1]',
  "$['documents'][0]['no']",
  '[0]',
])('a reference path that leads into a list is refused: %s', (path) => {
  const message = expect.stringContaining('one document')
  expect(problems({ reference_path: path })).toEqual({ 'run_settings.reference_path': message })
  expect(problems({ reference_path: 'no', original_reference_path: path })).toEqual({
    'run_settings.original_reference_path': message,
  })
  // What earlier versions stored is still read; an answer may hold lists.
  expect(storedRunSettings.parse({ reference_path: path }).reference_path).toBe(path)
  expect(problems({ authority_reference_path: path, qr_path: path })).toEqual({})
})

it.each(['no', 'documents.no', "$['documents[0]'].no", '$.a.b'])(
  'a reference path may stand for the whole body: %s',
  (path) => expect(problems({ reference_path: path })).toEqual({}),
)

it('an original reference needs a reference, and minutes need a duplicate-safe endpoint', () => {
  expect(problems({ original_reference_path: 'original', duplicate_safe_minutes: 24 })).toEqual({
    'run_settings.reference_path': expect.stringContaining('required'),
    'run_settings.duplicate_safe_minutes': expect.stringContaining('duplicate-safe'),
  })
})

it.each([24, '24'])('hours that an earlier version has stored are read as minutes: %j', (hours) => {
  const earlier = { is_duplicate_safe: true, duplicate_safe_hours: hours }
  expect(storedRunSettings.parse(earlier)).toMatchObject({ duplicate_safe_minutes: 1440 })
  expect(runSettings.parse(earlier)).toMatchObject({ duplicate_safe_minutes: 1440 })
  const both = { ...earlier, duplicate_safe_minutes: 90 }
  expect(storedRunSettings.parse(both)).toMatchObject({ duplicate_safe_minutes: 90 })
  expect(storedRunSettings.parse({ ...earlier, duplicate_safe_hours: null })).toMatchObject({
    duplicate_safe_minutes: null,
  })
})

const query = { endpoint_id: 7, received: { statuses: '200' }, not_received: { statuses: '404' } }
const pendingOf = (pending: object, more: object = { status_query: query }) => ({
  pending,
  ...more,
})

it('an answer that decides later has its times, and needs a status query', () => {
  const rule = { statuses: '202' }
  expect(storedRunSettings.parse(pendingOf({ rule })).pending).toEqual({
    rule: { statuses: '202', join: 'all', conditions: [] },
    parameter_path: '',
    first_after_seconds: 5,
    factor: 2,
    max_every_seconds: 300,
    give_up_minutes: 4320,
  })
  expect(storedRunSettings.parse(pendingOf({ rule, factor: '1.5' })).pending?.factor).toBe(1.5)
  expect(problems(pendingOf({ rule }, {}))).toEqual({
    'run_settings.status_query': expect.stringContaining('needs a status query'),
  })
  expect(
    problems(
      pendingOf({
        rule: {},
        parameter_path: 'a[',
        first_after_seconds: 0,
        factor: 'often',
        max_every_seconds: '1e3',
        give_up_minutes: 50_000,
      }),
    ),
  ).toEqual({
    'run_settings.pending.rule.statuses': expect.stringContaining('taken, decided later'),
    'run_settings.pending.parameter_path': expect.stringContaining('cannot be used'),
    'run_settings.pending.first_after_seconds': expect.stringContaining('from 1 to 86400'),
    'run_settings.pending.factor': expect.stringContaining('from 1 to 10'),
    'run_settings.pending.max_every_seconds': expect.stringContaining('from 1 to 86400'),
    'run_settings.pending.give_up_minutes': expect.stringContaining('from 1 to 43200'),
  })
  const swapped = { rule, first_after_seconds: 60, max_every_seconds: 30 }
  expect(problems(pendingOf(swapped))).toEqual({
    'run_settings.pending.max_every_seconds': expect.stringContaining('shorter than the first'),
  })
})

it('settings of earlier releases have no answer that decides later', () => {
  const { pending: _, ...earlier } = defaultRunSettings
  expect(storedRunSettings.parse(earlier).pending).toBeNull()
  expect(storedRunSettings.parse({ ...earlier, status_query: query }).status_query).toMatchObject({
    pending: null,
    rejected: null,
    message_path: '',
  })
})

describe('a profile', () => {
  const parsed = (settings: unknown) => runSettings.safeParse(settings)

  it.each(runProfiles.map(({ name, settings }) => [name, settings] as const))(
    '%s alone fills in what it says',
    (profile, settings) => {
      expect(parsed({ profile }).data).toEqual(settings)
    },
  )

  it.each(runProfiles.flatMap(({ name, later }) => (later ? [[name, later] as const] : [])))(
    '%s with the endpoint that is asked fills in the query and what is pending',
    (profile, later) => {
      const filled = parsed({ profile, status_query: { endpoint_id: 7 } }).data
      expect(filled).toMatchObject({
        status_query: { ...later.status_query, endpoint_id: 7 },
        pending: later.pending,
      })
    },
  )

  it('leaves what is given as it is, null and blank too', () => {
    const given = { profile: 'eta', duplicate_rule: null, content_type: 'application/json' }
    expect(parsed(given).data).toMatchObject({
      duplicate_rule: null,
      content_type: 'application/json',
      effect: 'submit',
    })
  })

  it('of which nothing is left is refused', () => {
    const { error } = parsed({ ...defaultRunSettings, profile: 'eta' })
    expect(error?.issues).toMatchObject([{ path: ['profile'] }])
    expect(parsed({ ...defaultRunSettings, profile: 'eta', effect: 'submit' }).success).toBe(true)
  })
})
