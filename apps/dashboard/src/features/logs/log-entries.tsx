import { Group, Text } from '@mantine/core'
import type { LogPage } from '@gatehouse/contract'
import { useState } from 'react'
import { Notice } from '../../ui/page/notice.tsx'
import { PageButtons } from '../../ui/table/page-buttons.tsx'
import { logMessages } from './log-messages.ts'
import classes from './log-page.module.css'
import type { LogParamsState } from './log-params.ts'
import { LogTable } from './log-table.tsx'

interface LogEntriesProps extends Pick<LogParamsState, 'params' | 'setPage'> {
  answer: LogPage
  /** These are still the entries of the page before. */
  isStale: boolean
}

/** One page of a file, with what there is to say about it. */
export function LogEntries({ answer, isStale, params, setPage }: LogEntriesProps) {
  const { logs, current_file, reading } = answer
  const newSince = useNewEntries(isStale ? undefined : answer, params.isFollowing)
  const newCount = logs.filter(({ id }) => id > newSince).length
  return (
    <>
      {reading && <ReadingNotice {...reading} isSearch={params.search !== ''} />}
      {logs.length === 0 || current_file === null ? (
        !reading && <Nothing isFiltered={params.search !== '' || params.level !== ''} />
      ) : (
        <div className={classes['rows']} data-stale={isStale || undefined} aria-busy={isStale}>
          <LogTable
            file={current_file}
            entries={logs}
            isStandard={answer.standardFormat}
            linked={params.entry}
            newSince={newSince}
          />
        </div>
      )}
      <output className={classes['news']}>
        {newCount > 0 && (newCount === 1 ? '1 new entry' : `${newCount} new entries`)}
      </output>
      {logs.length > 0 && (
        <Group className={classes['footer'] ?? ''} justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" aria-live="polite">
            {rangeText(answer)}
          </Text>
          <PageButtons
            page={answer.page}
            pageCount={answer.last_page}
            onChange={setPage}
            hasEnds={false}
          />
        </Group>
      )}
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Notice title={logMessages.empty}>
      {isFiltered && (
        <Text size="sm" c="dimmed">
          Nothing in this file matches the filters.
        </Text>
      )}
    </Notice>
  )
}

interface ReadingNoticeProps {
  done_bytes: number
  total_bytes: number
  isSearch: boolean
}

function ReadingNotice({ done_bytes, total_bytes, isSearch }: ReadingNoticeProps) {
  const percent = Math.floor((100 * done_bytes) / Math.max(1, total_bytes))
  return (
    <Text component="output" size="sm" c="dimmed" display="block" px="md" py="xs">
      {`${isSearch ? 'Searching' : 'Reading'} the whole file: ${percent} %`}
    </Text>
  )
}

function rangeText({ page, per_page, logs, total, reading }: LogPage): string {
  const first = (page - 1) * per_page + 1
  const range = `${first.toLocaleString()}–${(first + logs.length - 1).toLocaleString()}`
  return `${range} of ${reading ? 'about ' : ''}${total.toLocaleString()}`
}

interface Following {
  file: string
  /** The newest entry when following began. */
  since: number
}

/** Which entries have come in since they are followed: those behind this place; Infinity for none. */
function useNewEntries(page: LogPage | undefined, isFollowing: boolean): number {
  const [following, setFollowing] = useState<Following>()
  const file = page?.current_file
  if (!isFollowing && following) setFollowing(undefined)
  if (isFollowing && page && file && following?.file !== file)
    setFollowing({ file, since: page.logs[0]?.id ?? -1 })
  return following?.since ?? Infinity
}
