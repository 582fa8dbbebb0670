import { readFileSync } from 'node:fs'
import path from 'node:path'
import { apiDefinition, endpointDefinition } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { expect, test } from 'vitest'
import { toPlannedInput } from '../features/endpoints/planned-input.ts'
import { authorityProfiles } from '../features/apis/form/authority-profiles.ts'
import { noCredential, toCredentialInput } from '../features/apis/sign-in/credential-draft.ts'

const profiles = Object.entries(authorityProfiles)

test('every profile of run settings but the general one belongs to an endpoint of an authority', () => {
  const used = profiles.flatMap(([, { endpoints = [] }]) =>
    endpoints.map(({ runProfile }) => runProfile),
  )
  const named = runProfiles.map(({ name }) => name).filter((name) => name !== 'generic')
  expect(used).toEqual(expect.arrayContaining(named))
})

test.each(profiles)('what %s fills in is accepted as it is', (_, profile) => {
  for (const filled of [profile.credential, profile.testCredential]) {
    const credential = filled && toCredentialInput({ ...noCredential, ...filled })
    const parsed = apiDefinition.safeParse({
      name: 'Authority',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: profile.api_url ?? 'https://authority.example.com',
      test_api_url: profile.test_api_url ?? '',
      static_headers: profile.staticHeaders ?? [],
      credential,
    })
    // What only a person knows stays to be typed.
    const open = new Set(['credential.token_url', 'credential.client_id', 'credential.username'])
    const problems = (parsed.error?.issues ?? []).map(({ path }) => path.join('.'))
    expect(problems.filter((path) => !open.has(path))).toEqual([])
  }
})

test.each(profiles)('the endpoints of %s are accepted as they are', (_, { endpoints = [] }) => {
  expect(endpoints.length).toBeGreaterThan(0)
  for (const planned of endpoints) {
    const input = toPlannedInput(1, planned, planned.asks === undefined ? undefined : 7)
    expect(endpointDefinition.safeParse(input).error?.issues).toBeUndefined()
  }
})

/** The API and the endpoints that a page of docs/authorities shows. */
function pageOf(name: string) {
  const file = `../../../../docs/authorities/${name}.md`
  const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
  const [, json = '{}'] = /## The API[\s\S]*?```json\n([\s\S]*?)\n```/.exec(text) ?? []
  return { text, api: JSON.parse(json) as Record<string, unknown> }
}

const pages = profiles.flatMap(([key, profile]) =>
  (profile.endpoints ?? []).flatMap((endpoint) =>
    endpoint.runProfile === '' ? [] : [{ key, profile, endpoint, page: endpoint.runProfile }],
  ),
)

test.each(pages)('the page $page shows what $key fills in', ({ profile, endpoint, page }) => {
  const { text, api } = pageOf(page)
  expect(text).toContain(`_Fill in for_: **${profile.label}**`)
  expect(text).toContain(`\`${endpoint.method_type.toUpperCase()} ${endpoint.path}\``)
  if (profile.api_url !== undefined) expect(api['api_url']).toBe(profile.api_url)
  const { headers = [], ...filled } = profile.credential
  const shown = (api['credential'] ?? { kind: '' }) as {
    headers?: { name: string }[]
    lifetime_seconds?: number
  }
  // The form holds numbers as text.
  expect({ ...shown, lifetime_seconds: shown.lifetime_seconds?.toString() }).toMatchObject(filled)
  expect((shown.headers ?? []).map(({ name }) => name)).toEqual(headers.map(({ name }) => name))
  expect(api['static_headers'] ?? []).toEqual(expect.arrayContaining(profile.staticHeaders ?? []))
})
