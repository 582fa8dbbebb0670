import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { LogEntry } from '@gatehouse/contract'
import { logLevels } from '@gatehouse/contract/log-levels'
import { paths } from '../../entities/paths.ts'
import { useIsHere, useScreenAddress } from '../../lib/page/screen-address.ts'

/** What is shown, kept in the address: a link to it shows the same to others. */
export interface LogParams {
  /** Undefined for the newest file. */
  file: string | undefined
  page: number
  /** Levels separated by commas; blank for all. */
  level: string
  search: string
  /** The entry that a link leads to, by its place in the file. */
  entry: number | undefined
  isFollowing: boolean
}

export interface LogParamsState {
  params: LogParams
  /** Opens a file, and nothing but the file: page 1, no filters (spec: states, calls). */
  openFile: (file: string, isInitial?: boolean) => void
  setPage: (page: number) => void
  setFilter: (filter: Partial<Pick<LogParams, 'level' | 'search'>>) => void
  follow: (isFollowing: boolean) => void
}

/** Anything in the address that makes no sense is ignored. */
function readLogParams(address: URLSearchParams): LogParams {
  const page = Number(address.get('page') ?? 1)
  const entry = address.get('entry')
  const levels = (address.get('level') ?? '').split(',')
  return {
    file: address.get('l') ?? undefined,
    page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000_000 ? page : 1,
    level: logLevels.filter((level) => levels.includes(level)).join(','),
    search: (address.get('search') ?? '').trim().slice(0, 200),
    entry: entry !== null && /^\d{1,15}$/.test(entry) ? Number(entry) : undefined,
    isFollowing: address.has('follow'),
  }
}

/** The address of one entry, without the filters that might hide it. */
export function entryAddress(file: string, id: number): string {
  return `?${new URLSearchParams({ l: file, entry: String(id) }).toString()}`
}

/**
 * Where a request is found: one of the gateway among its requests; what the file of a run names, the call that sent
 * the run, in the log of that day; any other in its own file.
 */
export function requestAddress(
  file: string,
  { request_id: search, date }: Pick<LogEntry, 'request_id' | 'date'>,
): string {
  if (file.startsWith('gateway/'))
    return `${paths.gatewayRequests}?${toText({ search, ...around(date) })}`
  const [, day] = /^runs\/runs-([\d-]{10})/.exec(file) ?? []
  return `?${toText({ l: day ? `admin/admin-${day}.log` : file, search })}`
}

const toText = (values: Record<string, string>) => new URLSearchParams(values).toString()

const minuteMs = 60_000

/** A fault is logged before its request ends. Without a date, the whole log is searched. */
function around(date: string): Record<string, string> {
  const at = Date.parse(date)
  const moment = (ms: number) => new Date(at + ms).toISOString()
  return Number.isNaN(at) ? {} : { from: moment(-minuteMs), to: moment(15 * minuteMs) }
}

export function useLogParams(): LogParamsState {
  const { address, change } = useScreenAddress()
  const isHere = useIsHere()
  const navigate = useNavigate()
  const params = useMemo(() => readLogParams(address), [address])

  function update(changes: Record<string, string | undefined>, replace: boolean) {
    change({ entry: undefined, ...changes }, { replace })
  }

  return {
    params,
    openFile: (file, isInitial = false) => {
      if (!isInitial) void navigate(`?${new URLSearchParams({ l: file }).toString()}`)
      // Known from an answer, which may come when the user is about to leave.
      else if (isHere()) update({ l: file, entry: address.get('entry') ?? undefined }, true)
    },
    setPage: (page) =>
      update({ page: page === 1 ? undefined : String(page), follow: undefined }, false),
    setFilter: (filter) => update({ ...filter, page: undefined }, true),
    follow: (isFollowing) =>
      update({ follow: isFollowing ? '1' : undefined, page: undefined }, true),
  }
}
