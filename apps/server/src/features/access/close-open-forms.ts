import type { Db } from '../../db/connect.ts'

/**
 * Raises the version of roles that have lost what was deleted, and returns their names. An open form still
 * holds it: saving the form must neither give the access again nor meet what is gone.
 */
export async function closeOpenForms(
  db: Db,
  roles: readonly { id: number; name: string }[],
): Promise<string[]> {
  if (roles.length > 0)
    await db
      .updateTable('role')
      .set((role) => ({ access_version: role('access_version', '+', 1) }))
      .where(
        'id',
        'in',
        roles.map(({ id }) => id),
      )
      .execute()
  return roles.map(({ name }) => name)
}
