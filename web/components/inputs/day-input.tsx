// A day as the pages write it, `1 Apr 2024`: typed in any usual form, or picked from the browser's calendar.

import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import classes from './day-input.module.css'
import { DayPicker, isDay } from './day-picker.tsx'
import { readTypedDay } from './typed-dates.ts'

const shownDay = (day: string) => (isDay(day) ? formatDate(day) : day)

interface DayInputProps extends Pick<TextInputProps, 'size' | 'placeholder' | 'leftSection' | 'leftSectionWidth'> {
  readonly label: string
  /** `2024-04-01`, or empty. */
  readonly value: string
  readonly onDay: (day: string) => void
  /** Whether it is in a form: the label is then visible, and Enter takes the day without sending the form. */
  readonly isInForm?: boolean
}

export function DayInput({ label, value, onDay, isInForm = false, ...look }: DayInputProps) {
  const [typed, setTyped] = useState(shownDay(value))
  const [isWrong, setWrong] = useState(false)
  useEffect(() => {
    setTyped(shownDay(value))
    setWrong(false)
  }, [value])
  const commit = () => {
    const day = readTypedDay(typed)
    const isRead = day === '' || isDay(day)
    setWrong(!isRead)
    if (isRead && day !== value) onDay(day)
    else if (isRead) setTyped(shownDay(value))
  }
  return (
    <TextInput
      {...look}
      className={classes.day ?? ''}
      {...(isInForm ? { label, required: true } : { 'aria-label': label })}
      error={isWrong ? 'A day, such as 1 Apr 2024' : undefined}
      value={typed}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={event => {
        if (event.key !== 'Enter') return
        if (isInForm) event.preventDefault()
        commit()
      }}
      autoComplete="off"
      rightSection={<DayPicker value={value} onDay={onDay} />}
    />
  )
}
