import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import type { OpenApiFormat } from '@gatehouse/contract'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { saveFile } from '../../lib/browser/save-file.ts'
import classes from './consumer-docs.module.css'

interface DocsActionsProps {
  fetchFile: (format: OpenApiFormat) => Promise<Blob>
  onFailure: (reason: string) => void
  isDisabled: boolean
}

/** Print, and the OpenAPI document in either format. */
export function DocsActions({ fetchFile, onFailure, isDisabled }: DocsActionsProps) {
  const [isFetching, setIsFetching] = useState(false)
  async function download(format: OpenApiFormat) {
    setIsFetching(true)
    try {
      saveFile(`openapi.${format}`, await fetchFile(format))
    } catch (error) {
      onFailure(messageOf(error))
    } finally {
      setIsFetching(false)
    }
  }
  return (
    <>
      <Button
        className={classes['tools'] ?? ''}
        variant="default"
        disabled={isDisabled}
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            className={classes['tools'] ?? ''}
            variant="default"
            disabled={isDisabled}
            loading={isFetching}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            OpenAPI
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void download('yaml')}>Download YAML</Menu.Item>
          <Menu.Item onClick={() => void download('json')}>Download JSON</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
