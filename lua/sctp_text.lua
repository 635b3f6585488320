-- SPDX-License-Identifier: GPL-2.0-or-later
-- Text of the scripts of this folder: options, escaped text, CSV, JSON, tables of 80 columns.
-- Loaded by them with dofile; does nothing by itself, and knows no field.

local M = { COLUMNS = 80 }

-- Ends tshark with one line on stderr; in the GUI a message.
function M.fail(message)
  if gui_enabled() then
    report_failure(message)
    error(message, 0)
  end
  io.stderr:write(message, "\n")
  os.exit(2)
end

-- Options "name=value" (-X lua_script1:name=value) over a table of defaults, of which each known name is a key; false: no default.
function M.options(script, defaults, arguments)
  local options, names = {}, {}
  for name, value in pairs(defaults) do
    options[name] = value
    table.insert(names, name)
  end
  table.sort(names)
  for _, argument in ipairs(arguments) do
    local name, value = argument:match("^([%w_]+)=(.*)$")
    if not name or defaults[name] == nil then
      M.fail(("%s: no option %s; there are: %s"):format(script, M.escape(argument), table.concat(names, ", ")))
    end
    options[name] = value
  end
  return options
end

-- value of an option that is one of a list.
function M.choose(script, name, value, list)
  for _, known in ipairs(list) do
    if value == known then return value end
  end
  M.fail(("%s: %s=%s is none of: %s"):format(script, name, M.escape(value), table.concat(list, ", ")))
end

-- Where to write: a file, or the standard output when path is false.
function M.open(script, path)
  if not path then return io.stdout end
  local file, message = io.open(path, "w")
  if not file then M.fail(script .. ": cannot write " .. M.escape(message)) end
  return file
end

-- Code points that show nothing, or change the direction of what follows: control, format, private.
local UNPRINTABLE = {
  { 0x00, 0x1F }, { 0x7F, 0x9F }, { 0xAD, 0xAD }, { 0x61C, 0x61C }, { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F },
  { 0xD800, 0xF8FF }, { 0xFEFF, 0xFEFF }, { 0xFFF0, 0xFFFB }, { 0xFFFE, 0xFFFF }, { 0xE0000, 0x10FFFF },
}

-- Length in bytes and code point of the UTF-8 character at a place of text, or nil.
local function decode(text, at)
  local lead = text:byte(at)
  local length = lead < 0x80 and 1 or lead >= 0xC2 and lead < 0xE0 and 2 or lead >= 0xE0 and lead < 0xF0 and 3
                 or lead >= 0xF0 and lead < 0xF5 and 4
  if not length then return nil end
  local point = length == 1 and lead or lead % 2 ^ (7 - length)
  for i = at + 1, at + length - 1 do
    local byte = text:byte(i)
    if not byte or byte < 0x80 or byte > 0xBF then return nil end
    point = point * 64 + byte % 64
  end
  if length == 3 and point < 0x800 or length == 4 and (point < 0x10000 or point > 0x10FFFF) then return nil end
  return length, point
end

local function is_printable(point)
  for _, range in ipairs(UNPRINTABLE) do
    if point >= range[1] and point <= range[2] then return false end
  end
  return true
end

-- Text of a capture made safe for terminals: \xNN for a byte, \u{N} for a character that is not printable.
function M.escape(text)
  text = tostring(text)
  if not text:find("[^\32-\126]") then return text end
  local parts, at = {}, 1
  while at <= #text do
    local length, point = decode(text, at)
    if length and is_printable(point) then
      table.insert(parts, text:sub(at, at + length - 1))
    elseif length and point >= 0x80 then
      table.insert(parts, ("\\u{%x}"):format(point))
    else
      table.insert(parts, ("\\x%02x"):format(text:byte(at)))
      length = 1
    end
    at = at + length
  end
  return table.concat(parts)
end

-- A number with so many decimals as a value of a row: text that JSON does not quote.
function M.decimal(format, value)
  return { exact = format:format(value) }
end

-- A number without exponent.
local function number(value)
  return value == math.floor(value) and ("%d"):format(value) or ("%.9f"):format(value)
end

local function flat(value)
  if type(value) == "number" then return number(value) end
  if type(value) ~= "table" then return M.escape(value) end
  if value.exact then return value.exact end
  local parts = {}
  for i, item in ipairs(value) do parts[i] = flat(item) end
  return table.concat(parts, " ")
end

-- One cell of CSV. What a spreadsheet would take for a formula gets a leading apostrophe.
local function csv_cell(value)
  if value == nil then return "" end
  local text = flat(value)
  local is_number = type(value) == "number" or type(value) == "table" and value.exact
  if not is_number and text:find("^[=+@-]") then text = "'" .. text end
  return text:find('[,"\n]') and '"' .. text:gsub('"', '""') .. '"' or text
end

-- A line of CSV of the columns of a row (a table from column to number, text, list of them, or nil); without row the head.
function M.csv(columns, row)
  local cells = {}
  for i, column in ipairs(columns) do
    if row then cells[i] = csv_cell(row[column]) else cells[i] = csv_cell(column) end
  end
  return table.concat(cells, ",") .. "\n"
end

local function json_value(value)
  if value == nil then return "null" end
  if type(value) == "number" then return number(value) end
  if type(value) ~= "table" then return '"' .. M.escape(value):gsub('[\\"]', "\\%0") .. '"' end
  if value.exact then return value.exact end
  local parts = {}
  for i, item in ipairs(value) do parts[i] = json_value(item) end
  return "[" .. table.concat(parts, ",") .. "]"
end

-- A line of JSON: an object with the columns of a row, in their order; null where it has none.
function M.ndjson(columns, row)
  local members = {}
  for i, column in ipairs(columns) do
    members[i] = json_value(column) .. ":" .. json_value(row[column])
  end
  return "{" .. table.concat(members, ",") .. "}\n"
end

-- Characters, each taken for a column.
local function width(text)
  return select(2, text:gsub("[^\128-\191]", ""))
end

-- Appends a sentence broken at spaces into lines that start at column indent.
function M.wrap(lines, indent, text)
  local line = ""
  for word in text:gmatch("%S+") do
    if line ~= "" and indent + width(line) + 1 + width(word) > M.COLUMNS then
      table.insert(lines, (" "):rep(indent) .. line)
      line = ""
    end
    line = line == "" and word or line .. " " .. word
  end
  table.insert(lines, (" "):rep(indent) .. line)
end

local function aligned(columns, cells, widths)
  local parts = {}
  for i, column in ipairs(columns) do
    local space = (" "):rep(widths[i] - width(cells[i]))
    parts[i] = column.right and space .. cells[i] or cells[i] .. space
  end
  return (table.concat(parts, "  "):gsub("%s+$", ""))
end

-- Appends a table. columns: { { head = , right = true or nil } }; rows: lists of cells, each with sentences (a list, or nil), which are
-- wrapped below the row.
function M.table(lines, columns, rows)
  local widths, heads = {}, {}
  for i, column in ipairs(columns) do
    heads[i], widths[i] = column.head, width(column.head)
    for _, row in ipairs(rows) do
      row[i] = M.escape(row[i])
      widths[i] = math.max(widths[i], width(row[i]))
    end
  end
  local head = aligned(columns, heads, widths)
  local total = 2 * (#columns - 1)
  for _, columns_wide in ipairs(widths) do total = total + columns_wide end
  table.insert(lines, head)
  table.insert(lines, ("-"):rep(total))
  for _, row in ipairs(rows) do
    table.insert(lines, aligned(columns, row, widths))
    for _, sentence in ipairs(row.sentences or {}) do M.wrap(lines, 6, M.escape(sentence)) end
  end
end

-- The first lines of a report.
function M.title(lines, text)
  for _, line in ipairs { ("="):rep(M.COLUMNS), text, ("="):rep(M.COLUMNS) } do table.insert(lines, line) end
end

-- Writes addresses of endpoints; long ones as letters, which explain appends.
function M.legend()
  local letters, names = {}, {}
  local legend = {}
  function legend.endpoint(address, port)
    local is_v6 = address:find(":", 1, true)
    if #address + (is_v6 and 2 or 0) <= 15 then return (is_v6 and "[%s]:%d" or "%s:%d"):format(address, port) end
    if not letters[address] then
      table.insert(names, address)
      letters[address] = #names <= 26 and string.char(64 + #names) or "A" .. #names
    end
    return ("%s:%d"):format(letters[address], port)
  end
  function legend.explain(lines)
    if #names > 0 then table.insert(lines, "") end
    for _, name in ipairs(names) do table.insert(lines, letters[name] .. " = " .. M.escape(name)) end
  end
  return legend
end

return M
