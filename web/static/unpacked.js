// The joined script where the browser knows import maps, which name its modules; else each from its own file.

import "/static/app.js";
