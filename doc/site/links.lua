-- For pandoc: makes a document's links those of the site. SITE_FOLDER is the folder that links are relative to, below
-- the current one; the files that the document links to are appended to SITE_LINKED, a line each, to be copied.

local base = os.getenv("SITE_FOLDER")

local function exists(path)
	local file = io.open(path)
	if file then file:close() end
	return file ~= nil
end

local function is_folder(path)
	return exists(path .. "/.")
end

local function linked(path)
	local list = io.open(os.getenv("SITE_LINKED"), "a")
	list:write(path, "\n")
	list:close()
end

-- The target on the site, or nil if the site has no page of it.
local function target_of(target)
	if target:match("^%a[%w+.-]*:") or target:match("^#") then return target end
	local path, anchor = target:match("^([^#]*)(.*)$")
	if path == "folders.html" then return target end -- made by site.sh
	local file = base .. "/" .. path
	if path:match("%.md$") then return path:gsub("%.md$", ".html") .. anchor end
	if path:match("man/[^/]*%.%d$") then return path .. ".html" .. anchor end
	if is_folder(file) then
		if not exists(file .. "/README.md") then return nil end
		return path:gsub("/*$", "/README.html") .. anchor
	end
	-- The tarball has not all that git has. In a checkout the link stays, and the test of the links finds it.
	if not exists(file) then return exists(".git") and target or nil end
	linked(file)
	return target
end

-- Comments are for the tests.
function RawBlock(block)
	if block.text:match("^<!%-%-") then return {} end
end

function Link(link)
	local target = target_of(link.target)
	if not target then return link.content end
	link.target = target
	return link
end

function Image(image)
	linked(base .. "/" .. image.src)
	return image
end

-- An option is not broken at its hyphens.
function Code(code)
	if #code.text <= 32 then code.classes:insert("short") end
	return code
end

-- A wide table scrolls in a box of its own.
function Table(box)
	return pandoc.Div(box, pandoc.Attr("", { "wide" }))
end
