import { Text, UnstyledButton } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import type { LogFile, LogPage } from '@gatehouse/contract'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import classes from './log-files.module.css'

interface LogFilesProps {
  page: Pick<LogPage, 'files' | 'folders' | 'other_servers'>
  current: string | null
  onOpen: (file: string) => void
}

/** Folders and the files in them; a click opens a file. */
export function LogFiles({ page, current, onOpen }: LogFilesProps) {
  return (
    <nav aria-label="Log files" className={classes['files']}>
      {page.folders.map((folder) => (
        <section key={folder} aria-label={folder === '' ? 'Other files' : folder}>
          {folder !== '' && (
            <Text component="h3" className={classes['folder'] ?? ''}>
              {folder}
            </Text>
          )}
          {page.files
            .filter((file) => file.folder === folder)
            .map((file) => (
              <FileEntry
                key={file.id}
                file={file}
                isCurrent={file.id === current}
                onOpen={onOpen}
              />
            ))}
        </section>
      ))}
      <OtherServers names={page.other_servers} />
    </nav>
  )
}

/** More are not named. */
const shownMax = 5

function OtherServers({ names }: { names: readonly string[] }) {
  const [first] = names
  if (first === undefined) return null
  const shown = [...new Set(names)].slice(0, shownMax).join(', ')
  const isMore = new Set(names).size > shownMax
  return (
    <Text size="xs" c="dimmed" p="sm" style={{ overflowWrap: 'anywhere' }}>
      {names.length === 1
        ? `Another server, ${first}, keeps its logs in its own DATA_DIR.`
        : `${names.length} other servers keep their logs in their own DATA_DIR: ${shown}${isMore ? ' …' : ''}`}
    </Text>
  )
}

interface FileEntryProps {
  file: LogFile
  isCurrent: boolean
  onOpen: (file: string) => void
}

function FileEntry({ file, isCurrent, onOpen }: FileEntryProps) {
  return (
    <UnstyledButton
      className={classes['file'] ?? ''}
      data-active={isCurrent || undefined}
      onClick={() => onOpen(file.id)}
      {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
    >
      <IconFileText size={16} stroke={1.6} aria-hidden />
      <span>
        {file.name}
        <bdi className={classes['size']}>{formatBytes(file.size, 'decimal')}</bdi>
      </span>
    </UnstyledButton>
  )
}
