import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ArchiveFileRecord } from '@gatehouse/contract'
import { useEffect, useState } from 'react'
import { callBytes } from '../../lib/calls/call-bodies.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { saveFile } from '../../lib/browser/save-file.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { RecordList } from '../../ui/table/record-list.tsx'
import { archiveMessages, checkColors, checkOf } from './archive-messages.ts'
import { archiveQueries, fileListKey, useCheckFile } from './archive-queries.ts'

/** The files, newest first. They are fetched again when a round has ended, however short it was. */
export function FileList({ roundEndedAt }: { roundEndedAt: string | null }) {
  const client = useQueryClient()
  useEffect(() => {
    if (roundEndedAt !== null) void client.invalidateQueries({ queryKey: fileListKey })
  }, [client, roundEndedAt])
  return (
    <RecordList
      id="archive-files"
      caption="Files of the archive"
      list={archiveQueries.files}
      columns={columns}
      searchLabel="Search file names"
      empty={{
        title: 'No files yet',
        hint: 'The first one is written when the days of a run are over.',
      }}
      renderActions={(file) => <FileActions file={file} />}
      actionColumn={{ width: '12rem' }}
    />
  )
}

const day = (at: string) => at.slice(0, 10)

const columns: Column<ArchiveFileRecord, 'id'>[] = [
  {
    head: 'File',
    sort: 'id',
    width: '28%',
    cell: (file) => (
      <>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={file.written_at} isRelative />
          {!file.is_own && ` · by server ${file.server}`}
        </Text>
      </>
    ),
  },
  {
    head: 'Runs',
    cell: (file) => (
      <>
        <Text size="sm">{file.runs.toLocaleString('en')}</Text>
        <Text size="xs" c="dimmed">
          {file.first_run_id} to {file.last_run_id}
        </Text>
      </>
    ),
  },
  {
    head: 'Period',
    cell: (file) => (
      <Text size="sm">
        {day(file.first_at)} to {day(file.last_at)}
      </Text>
    ),
  },
  {
    head: 'Size',
    cell: (file) => (
      <>
        <Text size="sm">{formatBytes(file.bytes, 'binary')}</Text>
        <Text size="xs" c="dimmed">
          of {formatBytes(file.content_bytes, 'binary')}
        </Text>
      </>
    ),
  },
  {
    head: 'Hash',
    cell: (file) => (
      <>
        <Badge color={file.check ? checkColors[file.check.result] : 'gray'}>{checkOf(file)}</Badge>
        {file.check && (
          <Text size="xs" c="dimmed">
            <Moment at={file.check.at} isRelative />
          </Text>
        )}
      </>
    ),
  },
]

function FileActions({ file }: { file: ArchiveFileRecord }) {
  const can = useCan()
  const check = useCheckFile()
  return (
    <Group gap={6}>
      <Button
        variant="default"
        size="compact-sm"
        loading={check.isPending}
        onClick={() => check.mutate(file.id)}
      >
        Check<VisuallyHidden> {file.name}</VisuallyHidden>
      </Button>
      {can('archive.download') && <DownloadButton file={file} />}
    </Group>
  )
}

function DownloadButton({ file: { id, name } }: { file: ArchiveFileRecord }) {
  const [isLoading, setIsLoading] = useState(false)
  async function handleDownload() {
    setIsLoading(true)
    try {
      const { body } = await callBytes('GET /api/archive/files/:id/download', { params: { id } })
      saveFile(name, body)
    } catch (error) {
      notifyError(archiveMessages.notDownloaded, messageOf(error))
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isLoading}
      onClick={() => void handleDownload()}
    >
      Download<VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  )
}
