import { Anchor, Button, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { LogPage as LogPageAnswer } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { RetryNotice } from '../../ui/page/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LogEntries } from './log-entries.tsx'
import { LogFiles } from './log-files.tsx'
import { LogFilters } from './log-filters.tsx'
import { logMessages } from './log-messages.ts'
import classes from './log-page.module.css'
import { useLogParams } from './log-params.ts'
import { canGoToDownload, downloadAddress, fetchLogFile, logQueries } from './log-queries.ts'

/** Folders and files at the side, the entries of one of them, newest first (spec: log-viewer). */
export function LogPage() {
  const state = useLogParams()
  const { params, openFile } = state
  const query = useQuery(logQueries.page(params))
  const answer = query.data
  useNewestFile(answer, params.file, openFile)
  const current = params.file ?? answer?.current_file ?? null
  return (
    <Page
      title="Log Viewer"
      actions={current !== null && !query.isError && <DownloadButton file={current} />}
    >
      <div className={classes['columns']}>
        <Paper className={classes['frame'] ?? ''}>
          {answer ? (
            <LogFiles page={answer} current={current} onOpen={openFile} />
          ) : (
            <NewestLink isShown={query.isError} />
          )}
        </Paper>
        <div>
          {answer && current !== null && <LogFilters {...state} answer={answer} />}
          <Paper className={classes['frame'] ?? ''}>
            {query.isError ? (
              <RetryNotice
                title="The log could not be loaded."
                reason={messageOf(query.error)}
                isRetrying={query.isFetching}
                onRetry={() => void query.refetch()}
              />
            ) : (
              <Opened answer={answer} isStale={query.isPlaceholderData} state={state} />
            )}
          </Paper>
        </div>
      </div>
    </Page>
  )
}

/** A file that is gone leaves no listing behind to choose another from. */
function NewestLink({ isShown }: { isShown: boolean }) {
  return (
    isShown && (
      <Anchor component={Link} to={paths.logs} size="sm" display="block" p="sm">
        Open the newest log
      </Anchor>
    )
  )
}

interface OpenedProps {
  answer: LogPageAnswer | undefined
  isStale: boolean
  state: ReturnType<typeof useLogParams>
}

function Opened({ answer, isStale, state }: OpenedProps) {
  const { file } = state.params
  const isOther = isStale && file !== undefined && answer?.current_file !== file
  if (!answer || isOther) return <Loading text={logMessages.loading} />
  return <LogEntries answer={answer} isStale={isStale} {...state} />
}

/** Without a file in the address the newest is shown, and from then on it stays that one. */
function useNewestFile(
  answer: LogPageAnswer | undefined,
  file: string | undefined,
  openFile: (file: string, isInitial: boolean) => void,
) {
  const newest = file === undefined ? answer?.current_file : undefined
  useEffect(() => {
    if (newest) openFile(newest, true)
  })
}

function DownloadButton({ file }: { file: string }) {
  const can = useCan()
  const download = useMutation({
    mutationFn: fetchLogFile,
    onError: (error) => notifyError(messageOf(error)),
  })
  if (!can('log.download')) return null
  const shared = {
    variant: 'default',
    size: 'xs',
    leftSection: <IconDownload size={16} />,
  } as const
  return canGoToDownload() ? (
    <Button component="a" href={downloadAddress(file)} {...shared}>
      {logMessages.download}
    </Button>
  ) : (
    <Button onClick={() => download.mutate(file)} loading={download.isPending} {...shared}>
      {logMessages.download}
    </Button>
  )
}
