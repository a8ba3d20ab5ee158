// A place to choose or drop a file.
import { Button, FileButton } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { countOf } from '../words/words.ts'
import classes from './file-drop.module.css'

interface FileDropProps {
  readonly file: File | null
  readonly choose: (file: File | null) => void
  readonly isBusy: boolean
  /** File extensions with the dot: `.csv`. */
  readonly kinds: readonly string[]
}

export function FileDrop({ file, choose, isBusy, kinds }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  // A file chosen again under one name, after fixing it, fires an event only if the old choice is forgotten.
  const forget = useRef<() => void>(null)
  const take = (chosen: File | null) => {
    choose(chosen)
    forget.current?.()
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!isBusy) choose(event.dataTransfer.files[0] ?? null)
  }
  return (
    <section
      className={classes.drop}
      data-over={isOver}
      aria-label="The file"
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <FileButton onChange={take} accept={kinds.join()} resetRef={forget}>
        {props => (
          <Button {...props} variant={file === null ? 'filled' : 'default'} disabled={isBusy}>
            {file === null ? 'Choose a file' : 'Choose another file'}
          </Button>
        )}
      </FileButton>
      {file === null ? (
        <span className="soft">
          or drop it here: {kinds.slice(0, -1).join(', ')} or {kinds.at(-1)}
        </span>
      ) : (
        <span>
          <span className={classes.fileName}>{file.name}</span>{' '}
          <span className="soft figures">{formatSize(file.size)}</span>
        </span>
      )}
    </section>
  )
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte')
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
