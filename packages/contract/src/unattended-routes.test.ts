import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as alarmChannels from './alarms/alarm-channels.ts'
import * as alarmRules from './alarms/alarm-rules.ts'
import * as alarms from './alarms/alarms.ts'
import * as archive from './documents/archive.ts'
import * as archiveFiles from './documents/archive-files.ts'
import * as deliveries from './runs/deliveries.ts'
import * as home from './installation/home.ts'
import * as nodes from './installation/nodes.ts'
import * as reconciliations from './documents/reconciliations.ts'
import * as search from './documents/search.ts'
import * as callbacks from './workflows/callbacks.ts'
import * as hooks from './workflows/hooks.ts'
import * as schedules from './workflows/schedules.ts'

const page = new URL('../../../docs/spec/workflows.md', import.meta.url)
// Lines are wrapped anywhere.
const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')

const modules = {
  ...alarmChannels,
  ...alarmRules,
  ...alarms,
  ...archive,
  ...archiveFiles,
  ...deliveries,
  ...home,
  ...nodes,
  ...reconciliations,
  ...search,
  ...callbacks,
  ...hooks,
  ...schedules,
}
const isRoute = (value: unknown): value is { method: string; path: string; access: string } =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value

test('the specification names every call of what runs unattended, and its permission', () => {
  const routes = Object.values<unknown>(modules).filter(isRoute)
  expect(routes.length).toBeGreaterThan(50)
  const missing = routes.filter(({ path, access }) => {
    const isNamed = new RegExp(`${path.replaceAll('/', '\\/')}(?![\\w/:-])`).test(text)
    return !isNamed || (access.includes('.') && !text.includes(`\`${access}\``))
  })
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
