// The editor, loaded when first shown; until then a placeholder of the same size.
import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { explainUnfetched } from '../../../../api.ts'
import type { CodeEditorProps } from './editor.tsx'

const Fetched = lazy(() => import('./editor.tsx').then(({ CodeEditor }) => ({ default: CodeEditor }), explainUnfetched))

export function Editor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={props.kind === 'yaml' ? 480 : 32} radius={4} />}>
      <Fetched {...props} />
    </Suspense>
  )
}
