import { languages, type Language } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'

/** The languages that users have chosen for the dashboard. */
export function languageStore(db: Db) {
  return {
    /** Null without a choice, or where a later release has stored a language that is not known here. */
    find: async (userId: number): Promise<Language | null> => {
      const row = await db
        .selectFrom('user_language')
        .select('language')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return languages.find((known) => known === row?.language) ?? null
    },
    choose: (user_id: number, language: Language) =>
      db
        .insertInto('user_language')
        .values({ user_id, language })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ language }))
        .execute(),
  }
}
