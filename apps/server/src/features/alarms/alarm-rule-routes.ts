import {
  createAlarmRule,
  deleteAlarmRule,
  editAlarmRule,
  listAlarmRules,
  newAlarmRuleForm,
  updateAlarmRule,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { AlarmRuleService } from './alarm-rule-service.ts'

export function alarmRuleRoutes(app: FastifyInstance, rules: AlarmRuleService): void {
  mount(app, listAlarmRules, async ({ query }) =>
    toPage(await rules.list(query), query, (rule) => rule),
  )
  mount(app, newAlarmRuleForm, () => rules.choices())
  mount(app, createAlarmRule, async ({ body }, context) => ({
    rule: await rules.create(body, context),
  }))
  mount(app, editAlarmRule, async ({ params }) => ({
    rule: await rules.get(params.id),
    ...(await rules.choices()),
  }))
  mount(app, updateAlarmRule, async ({ params, body }, context) => ({
    rule: await rules.update(params.id, body, context),
  }))
  mount(app, deleteAlarmRule, ({ params }, context) => rules.remove(params.id, context))
}
