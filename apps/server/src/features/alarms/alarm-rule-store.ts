import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

/** The rules by which alarms are raised, and what of them is muted. */
export function alarmRuleStore(db: Db) {
  return {
    list: (query: ListQuery) => {
      const rows = db
        .selectFrom('alarm_rule')
        .selectAll()
        .select(
          sql<number>`(select count(*) from alarm
            where alarm.rule_id = alarm_rule.id and alarm.ended_at is null)`.as('open'),
        )
        .orderBy(listOrder(query.sort, 'alarm_rule.id', ['name', 'kind']))
      return readPage(
        query.search ? rows.where(containsWords(query.search, ['alarm_rule.name'])) : rows,
        query,
      )
    },
    listAll: () => db.selectFrom('alarm_rule').selectAll().orderBy('id').execute(),
    find: (id: number) =>
      db
        .selectFrom('alarm_rule')
        .selectAll()
        .select(
          sql<number>`(select count(*) from alarm
            where alarm.rule_id = alarm_rule.id and alarm.ended_at is null)`.as('open'),
        )
        .where('id', '=', id)
        .executeTakeFirst(),
    insert: (rule: NewRow<'alarm_rule'>) =>
      db.insertInto('alarm_rule').values(rule).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'alarm_rule'>) =>
      updateIfUnchanged(db, 'alarm_rule', id, version, change),
    /** The rules that are on count from now, unless they did already. */
    begin: (now: string) =>
      db
        .updateTable('alarm_rule')
        .set({ on_since: now })
        .where('is_on', '=', 1)
        .where('on_since', 'is', null)
        .execute(),
    remove: (id: number) => db.deleteFrom('alarm_rule').where('id', '=', id).execute(),
    /** The mutes that are not over. */
    listMutes: (now: string) =>
      db.selectFrom('alarm_mute').selectAll().where('until', '>', now).execute(),
    mute: (rule_id: number, subject: string, until: string) =>
      db
        .insertInto('alarm_mute')
        .values({ rule_id, subject, until })
        .onConflict((conflict) => conflict.columns(['rule_id', 'subject']).doUpdateSet({ until }))
        .execute(),
    unmute: (rule_id: number, subjects: readonly string[]) =>
      db
        .deleteFrom('alarm_mute')
        .where('rule_id', '=', rule_id)
        .where('subject', 'in', subjects)
        .execute(),
    removeMutesBefore: (now: string) =>
      db.deleteFrom('alarm_mute').where('until', '<=', now).execute(),
    /** What a rule can be narrowed to. */
    listChoices: async () => {
      const [workflows, lanes, apis] = [
        await db
          .selectFrom('workflow')
          .select(['id', 'name'])
          .where('deleted_at', 'is', null)
          .orderBy('name')
          .execute(),
        await db.selectFrom('lane').select(['id', 'name']).orderBy('name').execute(),
        await db.selectFrom('api').select(['id', 'name']).orderBy('name').execute(),
      ]
      return { workflows, lanes, apis }
    },
  }
}
