import { Paper, Title } from '@mantine/core'
import { useMemo } from 'react'
import { JsonPane } from '../../ui/json-pane.tsx'
import classes from './build-request.module.css'
import { verdictOf } from './send-verdict.ts'
import type { Exchange } from './use-exchange.ts'

/** What the To endpoint answered to the last Send, whether it took it or not. */
export function AnswerPane({ exchange }: { exchange: Exchange }) {
  const answer = useMemo(() => answerOf(exchange), [exchange])
  if (answer === '') return null
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="answer-title">
      <JsonPane
        label="Answer"
        title={
          <Title order={3} id="answer-title">
            Answer
          </Title>
        }
        value={answer}
        minHeight={60}
        maxHeight="40vh"
      />
    </Paper>
  )
}

function answerOf(exchange: Exchange): string {
  if (exchange.status === 'failed') return verdictOf(exchange.error, 'send').answer
  if (exchange.status !== 'done') return ''
  // An answer that is not JSON arrives as text: it is shown as it came, not in quotes.
  return exchange.answer.plain ?? exchange.answer.text
}
