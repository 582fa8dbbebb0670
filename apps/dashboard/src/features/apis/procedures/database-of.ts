import type { SubmittedApi } from '@gatehouse/contract'

/** A stored procedure has no URL, so its database is shown instead. */
export const databaseOf = ({ driver, host, port, database }: SubmittedApi) =>
  `${driver}: ${host}:${port ?? ''} / ${database}`
