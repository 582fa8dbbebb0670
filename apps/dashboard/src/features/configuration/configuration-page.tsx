import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { saveFile } from '../../lib/browser/save-file.ts'
import { DocumentRefusal } from '../../ui/text/document-refusal.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ChangesForm } from './changes-form.tsx'
import { useDiff, useExport, type ConfigurationDiff } from './configuration-queries.ts'

const maxBytes = 4 * 1024 * 1024

/** The whole configuration as a file: downloaded, or compared and applied (docs/configuration.md). */
export function ConfigurationPage() {
  const exporting = useExport()
  const diff = useDiff()
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [shown, setShown] = useState<{ document: string; diff: ConfigurationDiff }>()

  async function download() {
    try {
      saveFile('gatehouse.yaml', await exporting.mutateAsync())
    } catch (error) {
      notifyError('The configuration could not be exported.', messageOf(error))
    }
  }

  async function choose(chosen: File) {
    diff.reset()
    setFile(chosen)
    setShown(undefined)
    const isTooLarge = chosen.size > maxBytes
    const text = isTooLarge ? undefined : await chosen.text().catch(() => undefined)
    if (text === undefined) {
      setProblem(
        isTooLarge ? 'At most 4 MB can be read.' : 'The file can’t be read. Choose it again.',
      )
      return
    }
    setProblem(undefined)
    const answer = await diff
      .mutateAsync({ document: text, values: {}, prune: false })
      .catch(() => undefined)
    if (answer) setShown({ document: text, diff: answer })
  }
  return (
    <Page
      title="Configuration"
      subtitle="APIs, endpoints, workflows, alarms, roles and access as one YAML file, without ids and secrets."
      actions={
        <Button
          variant="default"
          loading={exporting.isPending}
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void download()}
        >
          Export
        </Button>
      }
    >
      <Stack gap="md">
        <FormCard title="Apply a file">
          <FileField
            hint="YAML, up to 4 MB. You see what it changes before anything is changed."
            accept=".yaml,.yml,.json"
            file={file}
            problem={problem}
            isDisabled={diff.isPending}
            onChoose={(chosen) => void choose(chosen)}
          />
          {diff.isError && (
            <DocumentRefusal title="This file can’t be applied" error={diff.error} />
          )}
        </FormCard>
        {shown && <ChangesForm key={shown.document} document={shown.document} first={shown.diff} />}
      </Stack>
    </Page>
  )
}
