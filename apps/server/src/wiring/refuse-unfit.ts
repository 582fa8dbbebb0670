import { refuseTakenName } from '../features/apis/name-taken.ts'
import type { DeletionServiceOptions } from '../features/deletions/deletion-service.ts'
import { refuseUnusableStatusQuery } from '../features/endpoints/check-run-settings.ts'
import { runSettingsOf } from '../features/endpoints/endpoint-columns.ts'
import { refuseUngivable } from '../features/roles/role-service.ts'

/**
 * What a save would refuse of a record that an undo has brought back, as far as the database does not: others have
 * changed since, and so have the rights of its user. Throws as the save does.
 */
export const refuseUnfit: DeletionServiceOptions['refuseUnfit'] = {
  api: async ({ apis }, id) => refuseTakenName(apis, (await apis.find(id))!.name, id),
  endpoint: async ({ endpoints }, id) => {
    const row = (await endpoints.find(id))!
    await refuseUnusableStatusQuery(endpoints, runSettingsOf(row), row)
  },
  role: refuseUngivable,
}
