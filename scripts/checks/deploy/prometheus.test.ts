import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { inRoot } from '../../lib/places.mjs'
import { deployFile } from './deploy-files.mjs'

interface Rules {
  groups: { rules: { alert: string }[] }[]
}
interface RuleTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
}

const rules = parse(deployFile('prometheus/gatehouse-rules.yml')) as Rules
const { tests } = parse(deployFile('prometheus/gatehouse-rules.test.yml')) as RuleTests
const promtool = process.env['PROMTOOL_PATH'] ?? 'promtool'

it('of each rule it is tested that it fires, and that it does not before', () => {
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  const named = (fires: boolean) =>
    cases.filter((each) => Boolean(each.exp_alerts) === fires).map((each) => each.alertname)
  const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert))
  expect(named(true).toSorted()).toEqual(alerts.toSorted())
  expect(named(false).toSorted()).toEqual(alerts.toSorted())
})

it('the rules do what their tests say', (context) => {
  const run = (...args: string[]) =>
    execFileSync(promtool, args, { cwd: inRoot('deploy', 'prometheus'), encoding: 'utf8' })
  try {
    run('--version')
  } catch {
    context.skip('promtool is not there: it is in the package prometheus of Debian')
  }
  expect(run('check', 'rules', 'gatehouse-rules.yml')).toContain('SUCCESS')
  expect(run('test', 'rules', 'gatehouse-rules.test.yml')).toContain('SUCCESS')
})
