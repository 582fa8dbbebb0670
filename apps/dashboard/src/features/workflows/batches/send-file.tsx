import { Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { paths } from '../../../entities/paths.ts'
import { newUuid } from '../../../lib/calls/new-uuid.ts'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { useNavigateIfHere } from '../../../lib/page/screen-address.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { FileField } from '../../../ui/form/file-field.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import type { Workflow } from '../read-workflow.ts'
import { useStartBatch, type Upload } from './batch-queries.ts'
import { rowWords } from './batch-words.ts'
import { CheckedFile } from './checked-file.tsx'
import { acceptedEndings, fileProblem, typeOfFile } from './upload-file.ts'

/** A file that was chosen. `choice` counts: the same file may be chosen again after a correction. */
interface Chosen extends Upload {
  choice: number
  key: string
}

export function SendFile({ workflow }: { workflow: Workflow }) {
  const can = useCan()
  const navigate = useNavigateIfHere()
  const start = useStartBatch(workflow.slug)
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const [isTest, setIsTest] = useState(false)

  function choose(file: File) {
    start.reset()
    const type = typeOfFile(file)
    const found = fileProblem(file)
    setProblem(found)
    const choice = (chosen?.choice ?? 0) + 1
    setChosen(type && found === undefined ? { file, type, choice, key: newUuid() } : undefined)
  }

  function changeTest(next: boolean) {
    start.reset()
    setIsTest(next)
    setChosen((current) => current && { ...current, key: newUuid() })
  }

  async function send(upload: Chosen) {
    const batch = await start.mutateAsync({ ...upload, isTest }).catch(() => undefined)
    if (!batch) return
    notifySuccess(`${rowWords(batch.total)} taken.`)
    navigate(paths.batch(workflow.id, batch.id))
  }
  return (
    <Stack gap="md">
      <FormCard title="File">
        <FileField
          hint="CSV with a header row, JSON lines, or a JSON array. Up to 100,000 rows and 200 MB."
          accept={acceptedEndings}
          file={chosen?.file}
          problem={problem}
          isDisabled={start.isPending}
          onChoose={choose}
        />
        {can('tax.test') && (
          <Switch
            label="Test invoices"
            description="They go to the test base URL of each API."
            checked={isTest}
            disabled={start.isPending}
            onChange={(event) => changeTest(event.currentTarget.checked)}
          />
        )}
      </FormCard>
      {chosen && (
        <CheckedFile
          key={chosen.choice}
          slug={workflow.slug}
          upload={chosen}
          sending={start}
          onSend={() => void send(chosen)}
          onReplace={choose}
          // Another file has another key, and the same one at every try.
          onSendOther={(file) => void send({ ...chosen, file, key: `${chosen.key}-good` })}
        />
      )}
    </Stack>
  )
}
